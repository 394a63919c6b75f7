#include "replay/program/compile/location/collectives.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/program/compile/location/references.hpp"
#include "replay/program/compile/location/requests.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::replay::compiling {

using archive::Event;

namespace {

std::uint32_t counts_of(LocationState& location, const Event& event, std::uint32_t attribute, std::uint32_t ranks) {
  const archive::AttributeValue* value = find(event, attribute);
  if (value == nullptr) return kNone;
  if (numbers(location, value->string).size() != ranks)
    fail(location, fmt::format("{} numbers of bytes for {} ranks", location.counts.size(), ranks));
  return location.builder.add_counts(location.counts);
}

std::optional<Operation> collective_of_event(LocationState& location, const Event& event, CollectiveTail& tail) {
  const std::optional<Collective> collective = collective_of(event.collective);
  if (!collective) return std::nullopt;
  const CommOfRank comm = comm_of(location, event);
  Operation operation;
  operation.kind = OpKind::kCollective;
  operation.comm = comm.index;
  operation.tag = static_cast<std::int32_t>(*collective);
  // The root of an intercommunicator's other group has no number here.
  operation.peer = comm.is_inter && event.peer >= comm.peers ? kNoPeer : peer_of(location, event, comm);
  const CollectivePlace place{comm.size, comm.own == kNone ? 0 : comm.own,
                              operation.peer >= 0 && static_cast<std::uint32_t>(operation.peer) == comm.own};
  const CollectiveSizes sizes =
      collective_sizes(*collective, {event.bytes, event.received}, place, !location.context.is_ours);
  operation.bytes = sizes.sent;
  tail.received = sizes.received;
  tail.sent_counts = counts_of(location, event, location.context.attributes.counts_sent, comm.peers);
  tail.received_counts = counts_of(location, event, location.context.attributes.counts_received, comm.peers);
  return operation;
}

}  // namespace

const std::vector<std::uint64_t>& numbers(LocationState& location, archive::StringId id, std::string_view separators) {
  const std::string& text = location.context.definitions.strings[id];
  location.counts.clear();
  const char* end = text.data() + text.size();
  for (const char* next = text.data(); next < end; ++next) {
    std::uint64_t count = 0;
    const auto [stop, error] = std::from_chars(next, end, count);
    if (error != std::errc() || (stop != end && *stop != separators[location.counts.size() % separators.size()]))
      fail(location, fmt::format("'{}' is no list of numbers", text));
    location.counts.push_back(count);
    next = stop;
  }
  return location.counts;
}

std::optional<Event> asked_collective(const LocationState& location, const Event& start) {
  const AttributeIds& ids = location.context.attributes;
  const archive::AttributeValue *op = find(start, ids.collective), *comm = find(start, ids.comm),
                                *root = find(start, ids.root), *sent = find(start, ids.bytes_sent),
                                *received = find(start, ids.bytes_received);
  if (op == nullptr || comm == nullptr) return std::nullopt;
  Event asked = start;  // with its counts
  asked.collective = archive::collective_from_otf2(static_cast<OTF2_CollectiveOp>(op->u64));
  asked.comm = index_of(*comm);
  asked.peer = root == nullptr ? archive::kRootNone : index_of(*root);
  asked.bytes = sent == nullptr ? 0 : sent->u64;
  asked.received = received == nullptr ? 0 : received->u64;
  return asked;
}

Operation posted_collective(LocationState& location, const Event& event, std::uint32_t slot) {
  Operation operation;
  operation.kind = OpKind::kNonBlockingCollective;
  const std::optional<Event> asked = asked_collective(location, event);
  if (!asked) return operation;
  CollectiveTail tail{.request = slot};
  const std::optional<Operation> collective = collective_of_event(location, *asked, tail);
  if (!collective) return operation;
  operation = *collective;
  operation.kind = OpKind::kNonBlockingCollective;
  operation.extra = location.builder.add(tail);
  return operation;
}

void collective_ended(LocationState& location, const Event& event) {
  location.call.tail = {};
  if (const std::optional<Operation> collective = collective_of_event(location, event, location.call.tail)) {
    location.call.collective = *collective;
    location.call.collective.extra = location.builder.add(location.call.tail);
    location.call.has_collective = true;
  } else if (event.collective == archive::CollectiveOp::kCreateHandle) {
    const CommOfRank comm = comm_of(location, event);
    if (!comm.is_inter) location.call.created_comm = comm.index;
  }
}

void collective_completed(LocationState& location, const Event& event) {
  const std::optional<Request> found = take_request(location, event.request);
  if (!found) return;
  const Request& request = *found;
  if (started_by(location, request).extra != kNone)
    return complete(location, request);  // described when it was started
  CollectiveTail tail{.request = request.slot};
  std::optional<Operation> collective = collective_of_event(location, event, tail);
  Operation& operation = started_by(location, request);
  if (!collective) {
    operation = Operation{.kind = OpKind::kUnmodelled, .call = operation.call, .site = operation.site};
    if (request.operation < location.call.first_operation)
      location.builder.not_judged(request.operation, "non-blocking collective of a kind that is not modelled");
    location.slots.give_back(request.slot);
    return;
  }
  operation.comm = collective->comm;
  operation.tag = collective->tag;
  operation.peer = collective->peer;
  operation.bytes = collective->bytes;
  operation.extra = location.builder.add(tail);
  complete(location, request);
}

void comm_created(LocationState& location, const Event& event) {
  if (location.call.created_comm != kNone) return;
  const CommOfRank comm = comm_of(location, event);
  if (!comm.is_inter && comm.own != kNone) location.call.created_comm = comm.index;
}

}  // namespace plumbline::replay::compiling
