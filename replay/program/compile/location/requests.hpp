#pragma once
// Requests of a location: who started them and who completes them.

#include <optional>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// What was started and never seen to complete: the library goes on with it, so its messages come and go, but nobody
// waits for them.
Operation never_completed(Operation operation);

// The id of a request is given to another one although it was never seen to complete.
void abandon(LocationState& location, const Request& request);

// The request of that id, which is over. Where nobody started it: nothing if another thread of the rank may have (only
// the calls of one are replayed), else throws Error.
std::optional<Request> take_request(LocationState& location, std::uint64_t id);

// The operation that has started the request: one of posts, or in the program. Valid until either grows.
Operation& started_by(LocationState& location, const Request& request);

// The call in progress has completed the request, which it, or an earlier call, has started.
void complete(LocationState& location, const Request& request);

// The event tells that a request was cancelled.
void request_cancelled(LocationState& location, const archive::Event& event);

// Requests that the call which started them also completed: of posts, each becomes the blocking kind of its operation.
void convert_own_completions(LocationState& location);

// The operation of a call that has completed requests, whose slots are free from now on.
Operation wait_operation(LocationState& location);

}  // namespace plumbline::replay::compiling
