#pragma once
// What events of a location refer to, as its rank knows it.

#include <cstdint>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// The communicator of the event, as the rank knows it. Throws Error where the archive does not define it.
CommOfRank comm_of(LocationState& location, const archive::Event& event);

// The peer of the event as a rank of its communicator, or kNoPeer. Throws Error where the communicator has no such
// rank.
std::int32_t peer_of(const LocationState& location, const archive::Event& event, const CommOfRank& comm);

// The window of the event. No index: one that this rank can do nothing on, as far as the archive tells.
WindowOfRank window_of(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
