#include "replay/program/compile/location/neighbours.hpp"

#include <fmt/format.h>

#include <vector>

#include "replay/program/compile/location/collectives.hpp"
#include "replay/program/compile/location/references.hpp"
#include "replay/program/compile/location/requests.hpp"

namespace plumbline::replay::compiling {

using archive::Event;

namespace {

// "3:16,5:16"; absent: none. Their bytes in all.
std::uint64_t list_neighbours(LocationState& location, const Event& enter, std::uint32_t attribute,
                              const CommOfRank& comm, std::vector<Neighbour>& list) {
  list.clear();
  const archive::AttributeValue* value = find(enter, attribute);
  if (value == nullptr) return 0;
  const std::vector<std::uint64_t>& listed = numbers(location, value->string, ":,");
  if (listed.size() % 2 != 0) fail(location, "a neighbour without a number of bytes");
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < listed.size(); i += 2) {
    if (listed[i] >= comm.size) fail(location, fmt::format("rank {} of a communicator of {}", listed[i], comm.size));
    Neighbour neighbour;
    neighbour.rank = static_cast<std::uint32_t>(listed[i]);
    neighbour.bytes = listed[i + 1];
    bytes += neighbour.bytes;
    list.push_back(neighbour);
  }
  return bytes;
}

}  // namespace

void begin_neighbourhood(LocationState& location, const Event& enter) {
  const AttributeIds& ids = location.context.attributes;
  const archive::AttributeValue* recorded = find(enter, ids.comm);
  if (recorded == nullptr) return;
  Event with_comm;
  with_comm.comm = index_of(*recorded);
  const CommOfRank comm = comm_of(location, with_comm);
  Operation operation;
  operation.kind = OpKind::kNeighbourhood;
  operation.comm = comm.index;
  operation.tag = static_cast<std::int32_t>(location.call.traits.neighbourhood);
  operation.bytes = list_neighbours(location, enter, ids.neighbours_sent, comm, location.to);
  list_neighbours(location, enter, ids.neighbours_received, comm, location.from);
  std::uint32_t slot = kNone;
  if (const archive::AttributeValue* request = find(enter, ids.request)) {
    operation.kind = OpKind::kNonBlockingNeighbourhood;
    slot = location.slots.take();
    if (const Request* old = location.requests.find(request->u64)) abandon(location, *old);
    location.requests.put(request->u64, {location.call.first_operation, slot, operation.kind});
  }
  operation.extra = location.builder.add_neighbours(location.to, location.from, slot);
  location.call.neighbourhood = operation;
}

void complete_unrecorded(LocationState& location, const Event& leave) {
  const archive::AttributeValue* completed = find(leave, location.context.attributes.completed);
  if (completed == nullptr) return;
  for (const std::uint64_t request : numbers(location, completed->string)) {
    if (location.requests.find(request) == nullptr)
      location.call.waits_for_unrecorded = true;
    else
      complete(location, *take_request(location, request));
  }
}

}  // namespace plumbline::replay::compiling
