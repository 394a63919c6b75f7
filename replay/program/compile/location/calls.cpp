#include "replay/program/compile/location/calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "replay/program/compile/location/collectives.hpp"
#include "replay/program/compile/location/failures.hpp"
#include "replay/program/compile/location/inside.hpp"
#include "replay/program/compile/location/io.hpp"
#include "replay/program/compile/location/messages.hpp"
#include "replay/program/compile/location/neighbours.hpp"
#include "replay/program/compile/location/polls.hpp"
#include "replay/program/compile/location/probes.hpp"
#include "replay/program/compile/location/requests.hpp"
#include "replay/program/compile/location/windows.hpp"
#include "replay/program/failed_calls.hpp"

namespace plumbline::replay::compiling {

using archive::Event;
using archive::EventKind;

namespace {

constexpr std::string_view kUnrecorded = "waits for a request that the archive does not record";
constexpr std::string_view kOfOtherThread = "waits for what another thread has started, whose calls are not replayed";
constexpr std::string_view kAwaitsOneSided = "waits for one-sided communication that the archive does not record";

void take_outside_calls(const LocationState& location, const Event& event) {
  switch (event.kind) {
    case EventKind::kMpiSend:
    case EventKind::kMpiIsend:
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiIrecvRequest:
    case EventKind::kMpiRecv:
    case EventKind::kMpiIrecv:
    case EventKind::kMpiCollectiveEnd:
    case EventKind::kNonBlockingCollectiveRequest:
    case EventKind::kNonBlockingCollectiveComplete:
      fail(location, "a message or collective outside any MPI call");
    case EventKind::kIoOperationBegin:
    case EventKind::kIoOperationComplete:
      fail(location, "an I/O operation outside any call");
    default:
      return;  // definitions, threads and notes of the recording stand anywhere
  }
}

void begin_call(LocationState& location, const Event& event) {
  std::destroy_at(&location.call);
  std::construct_at(&location.call);
  location.call.traits = location.context.calls[event.region];
  location.call.begin = location.now;
  location.call.region = event.region;
  location.call.name = location.context.call(event.region);
  location.call.first_operation = location.builder.operations();
  find_inside(location);
  const AttributeIds& ids = location.context.attributes;
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == ids.site) {
      location.call.site = location.context.site(value.string);
      location.call.site_text = value.string;
    } else if (value.attribute == ids.run_delay)
      location.call.run_delay = Duration{static_cast<std::int64_t>(value.u64)};
    else if (value.attribute == ids.poll_computed)
      location.call.computed = Duration{static_cast<std::int64_t>(std::min<std::uint64_t>(value.u64, INT64_MAX))};
    else if (value.attribute == ids.waits)
      location.call.names_its_waits = true;
    else
      window_attribute(location, value);
  }
  if (location.call.traits.shape == CallShape::kNeighbourhood) begin_neighbourhood(location, event);
  if (location.call.traits.shape == CallShape::kProbe) begin_probe(location, event);
}

void judge(LocationState& location, std::uint32_t operation, Duration observed, Duration cost) {
  if (!location.reason.empty()) return location.builder.not_judged(operation, location.reason);
  switch (location.builder.operation(operation).kind) {
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
    case OpKind::kCommCreate:
      return;
    default:
      if (cost * 20 > observed && cost > Duration{})
        location.builder.not_judged(operation, "tracer cost above 5 % of the operation");
  }
}

Operation comm_create(LocationState& location, std::uint32_t comm, std::string_view reason) {
  location.reason = reason;
  Operation operation = of_kind(OpKind::kCommCreate);
  operation.comm = comm;
  return operation;
}

Operation start_up(LocationState& location) {
  constexpr std::string_view kReason = "start-up and shutdown";
  // Nobody waits in MPI_Finalize for a process that never gets there.
  if (location.call.traits.is_finalize && !location.context.all_finalized) return unmodelled(location, kReason);
  return comm_create(location, 0, kReason);
}

Operation decide_by_name(LocationState& location) {
  if (location.call.waits_for_other_thread) return unmodelled(location, kOfOtherThread);
  switch (location.call.traits.shape) {
    case CallShape::kWait:
      if (location.call.waits_for_one_sided) return unmodelled(location, kAwaitsOneSided);
      if (location.call.waits_for_unrecorded) return unmodelled(location, kUnrecorded);
      if (location.call.names_its_waits || !location.has_unrecorded_collectives) return of_kind(OpKind::kWait);
      return unmodelled(location, kUnrecorded);
    case CallShape::kPost:
      location.unrecorded_posts.push_back(location.call.first_operation);
      return of_kind(OpKind::kLocal);
    case CallShape::kTest:
    case CallShape::kLocal:
    case CallShape::kMessage:
      return of_kind(OpKind::kLocal);
    case CallShape::kNonBlockingCollective:
      location.has_unrecorded_collectives = true;
      ++location.context.tally.collectives_without_record;
      return unmodelled(location, "non-blocking collective that the archive does not record");
    case CallShape::kNeighbourhood:
      location.has_unrecorded_collectives = true;
      return unmodelled(location, "neighbourhood collective that the archive does not record");
    case CallShape::kCommCreate:
      return unmodelled(location, "creation of a communicator that the archive does not record");
    case CallShape::kPosix:
      return unmodelled(location, "POSIX calls other than open, close, read, write and sync");
    case CallShape::kRegion:
    case CallShape::kProbe:
      if (!location.call.traits.blocks) return of_kind(OpKind::kLocal);
      return unmodelled(location, "probes of which the archive does not record what they found");
    case CallShape::kStartUp:
    case CallShape::kByRecords:
      break;
  }
  const archive::Definitions& definitions = location.context.definitions;
  return unmodelled(
      location,
      fmt::format("{} is not modelled", definitions.strings[definitions.regions[location.walker.ended_region()].name]));
}

// What the records inside the call say, else what its name says.
Operation decide(LocationState& location) {
  if (location.call.traits.shape == CallShape::kStartUp) return start_up(location);
  if (location.call.io) return io_operation(location);
  if (location.call.one_sided) return one_sided_operation(location);
  if (const std::optional<Operation> flushes = flush_operation(location)) return *flushes;
  if (location.call.send || location.call.receive) return message_operation(location);
  if (location.call.has_collective) return location.call.collective;
  if (location.call.neighbourhood) return *location.call.neighbourhood;
  if (location.call.probe && location.call.probe->kind == OpKind::kProbe) return *location.call.probe;
  if (location.call.created_comm != kNone)
    return comm_create(location, location.call.created_comm, "creation of a communicator");
  if (location.call.waits_for_one_sided) location.reason = kAwaitsOneSided;
  if (location.call.waits_for_unrecorded) location.reason = kUnrecorded;
  if (location.call.waits_for_other_thread) location.reason = kOfOtherThread;
  if (!location.completed.empty()) return wait_operation(location);
  return decide_by_name(location);
}

// The process ended in this call. What it gave to others (a message, its part of a collective) is there for them, but
// nothing in the replay waits for what never came.
void leave_unfinished(LocationState& location, Operation& operation) {
  switch (operation.kind) {
    case OpKind::kSend:
      operation.kind = OpKind::kIsend;
      operation.extra = location.slots.take();
      break;
    case OpKind::kCollective: {
      CollectiveTail tail = location.call.tail;
      tail.request = location.slots.take();
      operation.kind = OpKind::kNonBlockingCollective;
      operation.extra = location.builder.add(tail);
      break;
    }
    case OpKind::kNeighbourhood:
      operation.kind = OpKind::kNonBlockingNeighbourhood;
      operation.extra = location.builder.add_neighbours(location.to, location.from, location.slots.take());
      break;
    case OpKind::kLocal:
    case OpKind::kRecv:
    case OpKind::kSendrecv:
    case OpKind::kProbe:
    case OpKind::kCommCreate:
    case OpKind::kWinCreate:
    case OpKind::kWinFree:
    case OpKind::kWinFence:
    case OpKind::kWinComplete:
    case OpKind::kWinWait:
    case OpKind::kWinLock:
    case OpKind::kWinUnlock:
    case OpKind::kWinFlush:
      operation = of_kind(OpKind::kUnmodelled);
      break;
    case OpKind::kWait:
      if (operation.extra == kNone) operation = of_kind(OpKind::kUnmodelled);
      break;
    default:
      if (is_io(operation.kind) && (operation.flags & kIoIsCollective)) operation = of_kind(OpKind::kUnmodelled);
  }
  location.reason = "the process ended in this call";
  if (location.context.tally.unfinished.size() == kMostInWords) return;
  const archive::Definitions& d = location.context.definitions;
  const std::string site =
      location.call.site_text == archive::kUndefined ? "" : " at " + d.strings[location.call.site_text];
  location.context.tally.unfinished.push_back(fmt::format(
      "incomplete: rank {} ended in {}{}{}{}", location.rank, d.strings[d.regions[location.call.region].name], site,
      location.call.error_class.empty() ? "" : ": ", location.call.error_class));
}

void end_call(LocationState& location, const Event* leave) {
  const bool unfinished = leave == nullptr || find(*leave, location.context.attributes.unfinished) != nullptr;
  location.call.unfinished = unfinished;
  if (location.call.traits.sets_atomicity) ++location.context.tally.atomicity_set;
  if (leave != nullptr && location.call.traits.is_file) change_hints(location, *leave);
  if (leave != nullptr) complete_unrecorded(location, *leave);
  if (leave != nullptr && location.call.probe) end_probe(location, *leave);
  location.reason.clear();
  note_failure(location, leave);
  if (location.posts.empty())
    location.posts.push_back(has_no_effect(location) ? unmodelled(location, "") : decide(location));
  convert_own_completions(location);
  if (unfinished) leave_unfinished(location, location.posts.front());
  if (!location.call.error_class.empty()) location.reason = reason_of_failure(location.call.error_class, unfinished);
  PLUMBLINE_CHECK(location.posts.size() == location.walker.operations_of_call(),
                  "a call is as many operations as the walker says");

  location.call.begin += std::min(location.call.computed,
                                  location.now - location.call.begin);  // what was computed comes first, then the wait
  const Duration observed = location.now - location.call.begin;
  const Duration cost = location.cost.of_call(location.walker.regions_inside() + records_inside(location, leave));
  const Time end = location.call.begin + std::max(observed - cost, Duration{});
  for (std::size_t i = 0; i < location.posts.size(); ++i) {
    location.builder.add(location.posts[i], {i == 0 ? location.call.begin : end, end});
    Operation& added = location.builder.operation(location.call.first_operation + static_cast<std::uint32_t>(i));
    added.call = location.call.name;  // there: a copy would wait for what has just been set
    added.site = location.call.site;
  }
  location.posts.clear();
  judge(location, location.call.first_operation, observed, cost);
  if (location.call.run_delay > Duration{})
    location.builder.add(OffCpu{location.call.first_operation, 0, location.call.run_delay});
  const bool has_inner = write_inner(location, end);
  if (location.call.traits.polls)
    poll_ended(location, has_inner);
  else
    location.failed_polls = {};
}

void take_inside_call(LocationState& location, const Event& event) {
  if (refuses(location, event)) return;
  switch (event.kind) {
    case EventKind::kMpiSend:
      location.call.send = message_of(location, event);
      return;
    case EventKind::kMpiRecv:
      location.call.receive = message_of(location, event);
      location.call.receive->flags = posted_flags(location, event);
      return;
    case EventKind::kMpiIsend:
      return post(location, event, OpKind::kIsend);
    case EventKind::kMpiIrecvRequest:
      return post(location, event, OpKind::kIrecv);
    case EventKind::kNonBlockingCollectiveRequest:
      return post(location, event, OpKind::kNonBlockingCollective);
    case EventKind::kMpiIsendComplete:
      if (const std::optional<Request> request = take_request(location, event.request)) complete(location, *request);
      return;
    case EventKind::kMpiIrecv:
      return receive_completed(location, event);
    case EventKind::kMpiRequestCancelled:
      return request_cancelled(location, event);
    case EventKind::kMpiCollectiveEnd:
      return collective_ended(location, event);
    case EventKind::kNonBlockingCollectiveComplete:
      return collective_completed(location, event);
    case EventKind::kCommCreate:
      return comm_created(location, event);
    case EventKind::kRmaWinCreate:
    case EventKind::kRmaCollectiveEnd:
    case EventKind::kRmaGroupSync:
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaReleaseLock:
    case EventKind::kRmaSync:
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
    case EventKind::kRmaAtomic:
    case EventKind::kRmaOpCompleteBlocking:
    case EventKind::kRmaOpCompleteNonBlocking:
    case EventKind::kRmaOpCompleteRemote:
      return window_event(location, event);
    case EventKind::kIoCreateHandle:
    case EventKind::kIoDestroyHandle:
    case EventKind::kIoSeek:
    case EventKind::kIoOperationBegin:
    case EventKind::kIoOperationComplete:
      return io_event(location, event);
    default:
      return;
  }
}

}  // namespace

void take_event(LocationState& location, const Event& event) {
  ++location.events;
  if (event.time < location.now)
    ++location.context.tally.disorder;
  else
    location.now = event.time;
  if (event.kind == EventKind::kEnter && location.walker.depth() == 0) {
    ++location.outermost;
    if (location.inside != nullptr) location.first_operations.push_back(location.builder.operations());
  }
  switch (location.walker.next(event)) {
    case CallWalker::Step::kOutside:
      return take_outside_calls(location, event);
    case CallWalker::Step::kBegins:
      return begin_call(location, event);
    case CallWalker::Step::kInside:
      return take_inside_call(location, event);
    case CallWalker::Step::kNested:
      return nested(location, event);
    case CallWalker::Step::kEnds:
      return end_call(location, &event);
    case CallWalker::Step::kMismatch:
      fail(location, "leaves a region that is not the innermost one, or enters an unknown one");
  }
}

void finish_location(LocationState& location) {
  if (location.walker.in_call()) {
    ++location.context.tally.calls_without_end;
    end_call(location, nullptr);
  }
  Tally& tally = location.context.tally;
  location.requests.for_each([&](const Request& request) {
    Operation& operation = location.builder.operation(request.operation);
    if (request.kind == OpKind::kIrecv) {
      ++tally.receives_never_completed;
      operation = never_completed(operation);
    } else if (request.kind == OpKind::kNonBlockingCollective) {
      ++tally.others_never_completed;
      if (operation.extra != kNone) return;
      operation = Operation{.kind = OpKind::kUnmodelled, .call = operation.call, .site = operation.site};
      location.builder.not_judged(request.operation, "non-blocking collective that never completed");
    } else if (request.kind == OpKind::kNonBlockingNeighbourhood) {
      ++tally.others_never_completed;
    } else {
      ++tally.sends_never_completed;
    }
  });
  tally.others_never_completed += location.io_requests.size() + location.one_sided_requests.size();
  tally.late_completions += location.completed.size();
}

}  // namespace plumbline::replay::compiling
