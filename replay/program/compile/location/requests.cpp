#include "replay/program/compile/location/requests.hpp"

#include <fmt/format.h>

#include <optional>

namespace plumbline::replay::compiling {

using archive::Event;

Operation never_completed(Operation operation) {
  if (operation.kind == OpKind::kIrecv) {
    operation.flags |= kNotCompleted;
    if (operation.comm != kNone) return operation;
    operation.flags |= kAnySource | kAnyTag | kAnyComm;
    operation.comm = 0;
  }
  return operation;
}

void abandon(LocationState& location, const Request& request) {
  ++location.context.tally.replaced_requests;
  Operation& operation = started_by(location, request);
  if (request.kind == OpKind::kIrecv) operation = never_completed(operation);
  if (request.kind == OpKind::kNonBlockingCollective && operation.extra == kNone)
    operation = Operation{.kind = OpKind::kLocal, .call = operation.call, .site = operation.site};
}

std::optional<Request> take_request(LocationState& location, std::uint64_t id) {
  const Request* found = location.requests.find(id);
  if (found == nullptr && !location.context.has_other_threads)
    fail(location, fmt::format("completion of request {}, which was not started", id));
  if (found == nullptr) {
    location.call.waits_for_other_thread = true;
    return std::nullopt;
  }
  const Request request = *found;
  location.requests.erase(id);
  return request;
}

Operation& started_by(LocationState& location, const Request& request) {
  if (request.operation < location.call.first_operation) return location.builder.operation(request.operation);
  return location.posts[request.operation - location.call.first_operation];
}

void complete(LocationState& location, const Request& request) {
  if (request.operation >= location.call.first_operation)
    location.own_completions.push_back({request.operation, request.slot});
  else
    location.completed.push_back(request.slot);
}

void request_cancelled(LocationState& location, const Event& event) {
  const std::optional<Request> found = take_request(location, event.request);
  if (!found) return;
  const Request& request = *found;
  Operation& operation = started_by(location, request);
  operation = Operation{.kind = OpKind::kLocal, .call = operation.call, .site = operation.site};
  location.slots.give_back(request.slot);
  ++location.context.tally.cancelled;
}

void convert_own_completions(LocationState& location) {
  for (const OwnCompletion& own : location.own_completions) {
    Operation& operation = location.posts[own.operation - location.call.first_operation];
    location.slots.give_back(own.slot);
    if (operation.kind == OpKind::kNonBlockingCollective) {
      operation.kind = OpKind::kCollective;
      continue;
    }
    operation.kind = operation.kind == OpKind::kIsend ? OpKind::kSend : OpKind::kRecv;
    operation.extra = kNone;
  }
  location.own_completions.clear();
}

Operation wait_operation(LocationState& location) {
  Operation operation;
  operation.kind = OpKind::kWait;
  if (location.completed.size() == 1) {
    operation.flags = kNoRequestList;
    operation.extra = location.completed.front();
  } else {
    operation.extra = location.builder.add_requests(location.completed);
  }
  for (const std::uint32_t slot : location.completed) location.slots.give_back(slot);
  location.completed.clear();
  return operation;
}

}  // namespace plumbline::replay::compiling
