#pragma once
// Messages of a location, and what its calls post.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// The message that an event of a send or receive tells of.
Message message_of(LocationState& location, const archive::Event& event);

// What a receive was posted for: communicator, rank or archive::kUndefined, tag or 0, bytes of the buffer. Nothing
// where the record of the post does not tell the first three.
std::optional<archive::Event> asked_receive(const LocationState& location, const archive::Event& post);

// Flags (OpFlags) of a receive that the event tells of: what it was posted for.
std::uint8_t posted_flags(const LocationState& location, const archive::Event& event);

// The operation of a call that has sent, received, or done both: call.send and call.receive, one of which is there.
Operation message_operation(LocationState& location);

// The call in progress posts an operation of that kind, which is added to the program when the call ends.
void post(LocationState& location, const archive::Event& event, OpKind kind);

// A receive, non-blocking or of a wait, is complete. Where nobody posted its request, it is the oldest of
// unrecorded_posts; where there are none, another thread may have posted it. Throws Error where there is none either.
void receive_completed(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
