#pragma once
// Probes of a location. A matched one is a probe like the others: its message is received by the record of MPI_Mrecv.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// A probe begins: call.probe, unmodelled until it is known what it found. Without its communicator it is not described.
void begin_probe(LocationState& location, const archive::Event& enter);

// It is over, and has found something or not. For probes that are described.
void end_probe(LocationState& location, const archive::Event& leave);

}  // namespace plumbline::replay::compiling
