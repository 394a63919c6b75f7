#pragma once
// I/O of a location: MPI-IO and POSIX calls of the program, and POSIX calls that the library made inside MPI-IO calls.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// MPI_File_set_view and MPI_File_set_info: the archive does not tell of which file. Where only one is open it is that.
void change_hints(LocationState& location, const archive::Event& leave);

// A record of I/O directly in a call. In an MPI call, what is not MPI-IO was done by the library.
void io_event(LocationState& location, const archive::Event& event);

// The operation of a call on a file.
Operation io_operation(LocationState& location);

// A record inside of a region that is inside of the call in progress.
void nested(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
