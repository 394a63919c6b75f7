#pragma once
// Messages of a location, and what its calls post.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// The message that an event of a send or receive tells of.
Message message_of(LocationState& location, const archive::Event& event);

// Flags (OpFlags) of a receive that the event tells of: what it was posted for.
std::uint8_t posted_flags(const LocationState& location, const archive::Event& event);

// The operation of a call that has sent, received, or done both.
Operation message_operation(LocationState& location);

// The call in progress posts an operation of that kind.
void post(LocationState& location, const archive::Event& event, OpKind kind);

// A receive, non-blocking or of a wait, is complete.
void receive_completed(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
