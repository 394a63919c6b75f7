#include <fmt/format.h>

#include "replay/program/compile/location_compiler.hpp"

// Neighbourhood collectives of a location. OTF2 has no record for them: attributes of the Enter tell what they do, and
// of the Leave of a wait that they are complete.

namespace plumbline::replay {

using archive::Event;

// "3:16,5:16"; absent: none. Their bytes in all.
std::uint64_t LocationCompiler::list_neighbours(const Event& enter, std::uint32_t attribute, const CommOfRank& comm,
                                                std::vector<Neighbour>& list) {
  list.clear();
  const archive::AttributeValue* value = find(enter, attribute);
  if (value == nullptr) return 0;
  const std::vector<std::uint64_t>& listed = numbers(value->string, ":,");
  if (listed.size() % 2 != 0) fail("a neighbour without a number of bytes");
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < listed.size(); i += 2) {
    if (listed[i] >= comm.size) fail(fmt::format("rank {} of a communicator of {}", listed[i], comm.size));
    Neighbour neighbour;
    neighbour.rank = static_cast<std::uint32_t>(listed[i]);
    neighbour.bytes = listed[i + 1];
    bytes += neighbour.bytes;
    list.push_back(neighbour);
  }
  return bytes;
}

// Without its communicator it is not described.
void LocationCompiler::begin_neighbourhood(const Event& enter) {
  const AttributeIds& ids = context_.attributes;
  const archive::AttributeValue* recorded = find(enter, ids.comm);
  if (recorded == nullptr) return;
  Event with_comm;
  with_comm.comm =
      recorded->u64 < archive::kUndefined ? static_cast<std::uint32_t>(recorded->u64) : archive::kUndefined;
  const CommOfRank comm = comm_of(with_comm);
  Operation operation;
  operation.kind = OpKind::kNeighbourhood;
  operation.comm = comm.index;
  operation.tag = static_cast<std::int32_t>(call_.traits.neighbourhood);
  operation.bytes = list_neighbours(enter, ids.neighbours_sent, comm, to_);
  list_neighbours(enter, ids.neighbours_received, comm, from_);
  std::uint32_t slot = kNone;
  if (const archive::AttributeValue* request = find(enter, ids.request)) {
    operation.kind = OpKind::kNonBlockingNeighbourhood;
    slot = slots_.take();
    if (const Request* old = requests_.find(request->u64)) abandon(*old);
    requests_.put(request->u64, {call_.first_operation, slot, operation.kind});
  }
  operation.extra = builder_.add_neighbours(to_, from_, slot);
  call_.neighbourhood = operation;
}

// What else has no record of its completion (MPI_Comm_idup, persistent neighbourhood collectives) is not modelled.
void LocationCompiler::complete_unrecorded(const Event& leave) {
  const archive::AttributeValue* completed = find(leave, context_.attributes.completed);
  if (completed == nullptr) return;
  for (const std::uint64_t request : numbers(completed->string)) {
    if (requests_.find(request) == nullptr)
      call_.waits_for_unrecorded = true;
    else
      complete(*take_request(request));
  }
}

}  // namespace plumbline::replay
