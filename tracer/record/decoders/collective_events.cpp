#include "tracer/record/decoders/collective_events.hpp"

#include <fmt/format.h>

#include <array>

#include "tracer/archive/otf2_values.hpp"
#include "tracer/record/decoders/call_attributes.hpp"

namespace plumbline::record {
namespace {

using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;
using archive::kUndefined;

// By the name without "MPI_", the I of the non-blocking form, and the endings of the persistent and the large one.
CollectiveOp collective_op(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, CollectiveOp>, 17> kOps = {{
      {"arrier", CollectiveOp::kBarrier},
      {"cast", CollectiveOp::kBcast},
      {"ather", CollectiveOp::kGather},
      {"atherv", CollectiveOp::kGatherv},
      {"catter", CollectiveOp::kScatter},
      {"catterv", CollectiveOp::kScatterv},
      {"llgather", CollectiveOp::kAllgather},
      {"llgatherv", CollectiveOp::kAllgatherv},
      {"lltoall", CollectiveOp::kAlltoall},
      {"lltoallv", CollectiveOp::kAlltoallv},
      {"lltoallw", CollectiveOp::kAlltoallw},
      {"llreduce", CollectiveOp::kAllreduce},
      {"educe", CollectiveOp::kReduce},
      {"educe_scatter", CollectiveOp::kReduceScatter},
      {"educe_scatter_block", CollectiveOp::kReduceScatterBlock},
      {"can", CollectiveOp::kScan},
      {"xscan", CollectiveOp::kExscan},
  }};
  if (!name.starts_with("MPI_")) return CollectiveOp::kOther;
  name.remove_prefix(4);
  for (const std::string_view ending : {"_c", "_init"})
    if (name.ends_with(ending)) name.remove_suffix(ending.size());
  if (name.starts_with("I")) name.remove_prefix(1);
  if (name.starts_with("Bcast") || name.starts_with("bcast")) return CollectiveOp::kBcast;
  if (name.empty()) return CollectiveOp::kOther;
  name.remove_prefix(1);  // upper case, or lower after the I
  for (const auto& [text, op] : kOps)
    if (name == text) return op;
  return CollectiveOp::kOther;
}

std::uint32_t root_of(std::int32_t recorded) {
  if (recorded == -2) return archive::kRootThisGroup;
  if (recorded == -3) return archive::kRootSelf;
  return recorded < 0 ? archive::kRootNone : static_cast<std::uint32_t>(recorded);
}

// "8,16,8" of `count` numbers from the first on; nothing for no numbers.
std::string list(spool::Words numbers, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = first; i < first + count && i < numbers.size(); ++i)
    text += fmt::format("{}{}", text.empty() ? "" : ",", numbers[i]);
  return text;
}

struct Counts {
  std::string sent, received;
};

Counts counts_of(const OpenCall& call, const pl_collective_payload& moved) {
  if (moved.n_sent == 0 && moved.n_received == 0) return {};
  const spool::Words numbers = call.behind<pl_collective_payload>();
  return {list(numbers, 0, moved.n_sent), list(numbers, moved.n_sent, moved.n_received)};
}

// "3:16,5:16": rank and bytes of the neighbours, whose blocks are `bytes` from `first` on.
std::string exchanges(const std::vector<std::uint32_t>& neighbours, spool::Words bytes, std::size_t first,
                      std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count && i < neighbours.size(); ++i)
    if (static_cast<std::int32_t>(neighbours[i]) != PL_PROC_NULL)
      text += fmt::format("{}{}:{}", text.empty() ? "" : ",", neighbours[i], spool::word(bytes, first + i));
  return text;
}

// What its completion tells again: the program may never ask for that.
void describe_collective(DecodingState& t, const OpenRequest& open) {
  t.out.attach(t.ids.comm, open.comm);
  t.out.attach(t.ids.collective, archive::to_otf2(open.op));
  if (open.root != archive::kRootNone) t.out.attach(t.ids.root, open.root);
  t.out.attach(t.ids.bytes_sent, open.sent);
  t.out.attach(t.ids.bytes_received, open.received);
  if (open.counts_sent) t.out.attach_string(t.ids.counts_sent, *open.counts_sent);
  if (open.counts_received) t.out.attach_string(t.ids.counts_received, *open.counts_received);
}

void post_collective(DecodingState& t, const OpenCall& call, const pl_collective_payload& moved, std::uint32_t comm,
                     CollectiveOp op) {
  OpenRequest& open = t.process.requests.put(moved.request);
  open.kind = OpenRequest::Kind::kCollective;
  open.comm = comm;
  open.op = op;
  open.root = root_of(moved.root);
  open.sent = moved.sent;
  open.received = moved.received;
  const Counts counts = counts_of(call, moved);
  if (!counts.sent.empty()) open.counts_sent = t.world.string(counts.sent);
  if (!counts.received.empty()) open.counts_received = t.world.string(counts.received);
  describe_collective(t, open);
}

// Who takes part in making a communicator: all of the parent, or others.
bool made_by_the_parent(std::string_view name) {
  return name != "MPI_Comm_create_group" && !name.starts_with("MPI_Intercomm_create") &&
         !name.starts_with("MPI_Comm_spawn") && name != "MPI_Comm_accept" && name != "MPI_Comm_connect";
}

bool ends_a_communicator(std::string_view name) { return name == "MPI_Comm_free" || name == "MPI_Comm_disconnect"; }

}  // namespace

void unfinished_collective(DecodingState& t, const OpenCall& call) {
  attach_comm(t, call.as<pl_collective_payload>().comm);
}

void begin_collective(DecodingState& t, OpenCall& call) {
  const auto moved = call.as<pl_collective_payload>();
  const CollectiveOp op = collective_op(call.function->name);
  const std::uint32_t comm = t.process.comm(moved.comm);
  if (op == CollectiveOp::kOther || comm == kUndefined) {
    if (moved.request != 0) t.process.requests.put(moved.request);
    return;
  }
  Event event;
  event.kind = EventKind::kMpiCollectiveBegin;
  if (moved.request != 0) {
    post_collective(t, call, moved, comm, op);
    event.kind = EventKind::kNonBlockingCollectiveRequest;
    event.request = moved.request;
  }
  t.out.emit(event, call.begin);
}

void end_collective(DecodingState& t, const OpenCall& call, Time time) {
  const auto moved = call.as<pl_collective_payload>();
  if (moved.request != 0) return;  // non-blocking
  Event event;
  event.kind = EventKind::kMpiCollectiveEnd;
  event.collective = collective_op(call.function->name);
  event.comm = t.process.known_comm(moved.comm);
  if (event.collective == CollectiveOp::kOther || event.comm == kUndefined) return;
  event.peer = root_of(moved.root);
  event.bytes = moved.sent;
  event.received = moved.received;
  const Counts counts = counts_of(call, moved);
  t.out.attach_text(t.ids.counts_sent, counts.sent);
  t.out.attach_text(t.ids.counts_received, counts.received);
  t.out.emit(event, time);
}

void neighbour_attributes(DecodingState& t, const OpenCall& call) {
  const auto exchange = call.as<pl_neighbour_payload>();
  attach_comm(t, exchange.comm);
  if (exchange.request != 0) t.out.attach(t.ids.request, exchange.request);
  const auto fact = t.process.facts().comms.find(exchange.comm);
  if (fact == t.process.facts().comms.end()) return;
  const spool::Words bytes = call.behind<pl_neighbour_payload>();
  t.out.attach_text(t.ids.neighbours_sent, exchanges(fact->second.neighbours_to, bytes, 0, exchange.n_sent));
  t.out.attach_text(t.ids.neighbours_received,
                    exchanges(fact->second.neighbours_from, bytes, exchange.n_sent, exchange.n_received));
}

void begin_neighbour(DecodingState& t, OpenCall& call) {
  const std::uint32_t request = call.as<pl_neighbour_payload>().request;
  if (request != 0) t.process.requests.put(request).kind = OpenRequest::Kind::kUndescribed;
}

void unfinished_comm(DecodingState& t, const OpenCall& call) { attach_comm(t, call.as<pl_comm_payload>().comm); }

void begin_comm(DecodingState& t, OpenCall& call) {
  const auto making = call.as<pl_comm_payload>();
  if (making.request != 0) {
    t.process.requests.put(making.request).kind = OpenRequest::Kind::kUndescribed;
    return;
  }
  if (making.comm == PL_COMM_NULL || t.process.comm(making.comm) == kUndefined) return;
  if (!made_by_the_parent(call.function->name)) return;
  Event event;
  event.kind = EventKind::kMpiCollectiveBegin;
  t.out.emit(event, call.begin);
}

void end_comm(DecodingState& t, const OpenCall& call, Time time) {
  const auto making = call.as<pl_comm_payload>();
  if (making.request != 0) return;  // MPI_Comm_idup: nobody has met anybody yet
  const std::string_view name = call.function->name;
  const std::uint32_t comm = t.process.known_comm(making.comm);
  Event event;
  if (made_by_the_parent(name) && comm != kUndefined) {
    event.kind = EventKind::kMpiCollectiveEnd;
    event.collective = ends_a_communicator(name) ? CollectiveOp::kDestroyHandle : CollectiveOp::kCreateHandle;
    event.comm = comm;
    event.peer = archive::kRootNone;
    t.out.emit(event, time);
  }
  event = {};
  if (ends_a_communicator(name)) {
    event.kind = EventKind::kCommDestroy;
    event.comm = comm;
  } else if (making.made != PL_COMM_NULL && making.made != 0) {
    event.kind = EventKind::kCommCreate;
    event.comm = t.process.comm(making.made);
  }
  if (event.comm != kUndefined) t.out.emit(event, time);
}

}  // namespace plumbline::record
