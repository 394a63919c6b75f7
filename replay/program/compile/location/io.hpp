#pragma once
// I/O of a location: MPI-IO and POSIX calls of the program, and POSIX calls that the library made inside MPI-IO calls.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// MPI_File_set_view and MPI_File_set_info: the archive does not tell of which file. Where only one is open it is that.
void change_hints(LocationState& location, const archive::Event& leave);

// A record of I/O directly in a call: what the call does becomes call.io. In an MPI call, what is not MPI-IO was done
// by the library. Streams of stdio are left out.
void io_event(LocationState& location, const archive::Event& event);

// The operation of a call on a file, from call.io; call.unfinished is known.
Operation io_operation(LocationState& location);

// A record inside of a region that is inside of the call in progress, or the begin or end of that region, which
// location.walker has just taken. In calls of MPI on files it is what the library did.
void nested(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
