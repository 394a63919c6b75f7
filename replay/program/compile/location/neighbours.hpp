#pragma once
// Neighbourhood collectives of a location. OTF2 has no record for them: attributes of the Enter tell what they do, and
// of the Leave of a wait that they are complete.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// A neighbourhood collective begins: call.neighbourhood. Without its communicator it is not described.
void begin_neighbourhood(LocationState& location, const archive::Event& enter);

// A wait is over that may have completed what has no record of its completion: neighbourhood collectives. Others
// (MPI_Comm_idup, persistent ones) are not modelled.
void complete_unrecorded(LocationState& location, const archive::Event& leave);

}  // namespace plumbline::replay::compiling
