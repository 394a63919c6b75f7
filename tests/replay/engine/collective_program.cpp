#include "collective_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <numeric>

namespace plumbline::replay::test {
namespace {

using collectives::schedules::Call;
using Kind = collectives::schedules::Operation;

Collective collective_of(Kind kind) {
  switch (blocking_form(kind)) {
    case Kind::barrier:
      return Collective::kBarrier;
    case Kind::bcast:
      return Collective::kBcast;
    case Kind::reduce:
      return Collective::kReduce;
    case Kind::allreduce:
      return Collective::kAllreduce;
    case Kind::gather:
    case Kind::gatherv:
      return Collective::kGather;
    case Kind::scatter:
    case Kind::scatterv:
      return Collective::kScatter;
    case Kind::allgather:
    case Kind::allgatherv:
      return Collective::kAllgather;
    case Kind::alltoall:
    case Kind::alltoallv:
    case Kind::alltoallw:
      return Collective::kAlltoall;
    case Kind::reduce_scatter:
    case Kind::reduce_scatter_block:
      return Collective::kReduceScatter;
    case Kind::scan:
      return Collective::kScan;
    case Kind::exscan:
      return Collective::kExscan;
    default:
      return Collective::kBarrier;
  }
}

bool has_root(Kind kind) {
  kind = blocking_form(kind);
  return kind == Kind::bcast || kind == Kind::reduce || kind == Kind::gather || kind == Kind::gatherv ||
         kind == Kind::scatter || kind == Kind::scatterv;
}

std::string name_of(Kind kind) {
  std::string name(to_string(kind));
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return "MPI_" + name;
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

// What one rank tells MPI, in bytes.
struct Told {
  std::uint64_t sent = 0, received = 0;
  std::vector<std::uint64_t> sent_counts, received_counts;
};

Told told_by(const Call& call, std::uint32_t rank) {
  const std::uint64_t bytes = call.count * call.type_bytes;
  const bool is_root = rank == call.root;
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t count : call.counts) counts.push_back(count * call.type_bytes);
  switch (blocking_form(call.operation)) {
    case Kind::barrier:
      return {};
    case Kind::reduce:
      return {bytes, is_root ? bytes : 0, {}, {}};
    case Kind::bcast:
    case Kind::allreduce:
    case Kind::scan:
    case Kind::exscan:
      return {bytes, bytes, {}, {}};
    case Kind::gather:
      return {bytes, is_root ? bytes * call.ranks : 0, {}, {}};
    case Kind::scatter:
      return {is_root ? bytes * call.ranks : 0, bytes, {}, {}};
    case Kind::allgather:
      return {bytes, bytes * call.ranks, {}, {}};
    case Kind::alltoall:
      return {bytes * call.ranks, bytes * call.ranks, {}, {}};
    case Kind::reduce_scatter_block:
      return {bytes * call.ranks, bytes, {}, {}};
    case Kind::gatherv:
      return is_root ? Told{counts[rank], sum(counts), {}, counts} : Told{counts[rank], 0, {}, {}};
    case Kind::scatterv:
      return is_root ? Told{sum(counts), counts[rank], counts, {}} : Told{0, counts[rank], {}, {}};
    case Kind::allgatherv:
      return {counts[rank], sum(counts), {}, counts};
    case Kind::reduce_scatter:
      return {sum(counts), counts[rank], counts, {}};
    case Kind::alltoallv:
    case Kind::alltoallw: {
      Told told;
      for (std::uint32_t peer = 0; peer < call.ranks; ++peer) {
        told.sent_counts.push_back(counts[std::size_t{rank} * call.ranks + peer]);
        told.received_counts.push_back(counts[std::size_t{peer} * call.ranks + rank]);
      }
      told.sent = sum(told.sent_counts);
      told.received = sum(told.received_counts);
      return told;
    }
    default:
      return {};
  }
}

}  // namespace

Call simple_call(Kind operation, std::uint32_t ranks, std::uint64_t count, std::uint64_t type_bytes,
                 std::uint32_t root) {
  Call call;
  call.operation = operation;
  call.ranks = ranks;
  call.count = count;
  call.type_bytes = type_bytes;
  call.root = root;
  const Kind kind = blocking_form(operation);
  const bool matrix = kind == Kind::alltoallv || kind == Kind::alltoallw;
  const bool list =
      kind == Kind::gatherv || kind == Kind::scatterv || kind == Kind::allgatherv || kind == Kind::reduce_scatter;
  const std::uint32_t counts = matrix ? ranks * ranks : list ? ranks : 0;
  for (std::uint32_t i = 0; i < counts; ++i) call.counts.push_back(count + i % 3);
  if (kind == Kind::alltoallw) call.type_bytes = 1;
  return call;
}

Program program_of_calls(const std::vector<Call>& calls, const CollectivePlace& place) {
  static std::atomic<int> number = 0;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("plumbline-calls-{}-{}", getpid(), number++);
  ProgramBuilder builder(file);
  std::vector<std::uint32_t> world(place.nodes.size());
  std::iota(world.begin(), world.end(), 0U);
  builder.comm(world);
  if (!place.library.empty()) builder.property("library", place.library);
  for (std::uint32_t rank = 0; rank < world.size(); ++rank) {
    builder.begin_rank(builder.node(fmt::format("n{}", place.nodes[rank])), 1);
    for (const Call& call : calls) {
      const Told told = told_by(call, rank);
      const bool starts = place.starts && is_non_blocking(call.operation);
      Operation op{.kind = starts ? OpKind::kNonBlockingCollective : OpKind::kCollective};
      op.call = builder.call(name_of(call.operation));
      op.comm = 0;
      op.peer = has_root(call.operation) ? static_cast<std::int32_t>(call.root) : kNoPeer;
      op.tag = static_cast<std::int32_t>(collective_of(call.operation));
      op.bytes = told.sent;
      CollectiveTail tail;
      tail.received = told.received;
      if (place.records_counts && !told.sent_counts.empty()) tail.sent_counts = builder.add_counts(told.sent_counts);
      if (place.records_counts && !told.received_counts.empty())
        tail.received_counts = builder.add_counts(told.received_counts);
      if (starts) tail.request = 0;
      op.extra = builder.add(tail);
      builder.add(op, {});
      if (!starts) continue;
      Operation wait{.kind = OpKind::kWait, .flags = kNoRequestList};
      wait.call = builder.call("MPI_Wait");
      wait.extra = 0;
      builder.add(wait, {});
    }
    builder.end_rank(place.starts ? 1 : 0);
  }
  Program program = builder.finish();
  std::filesystem::remove(file);
  return program;
}

}  // namespace plumbline::replay::test
