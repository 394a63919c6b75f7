// Every implementation of every collective against the library's, inside of an MPI job: all roots, sizes from nothing
// to several segments, messages in pieces, the same buffer in both roles.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/algorithms/table.hpp"
#include "tests/bench/mpi_cases.hpp"

namespace {

using namespace plumbline::bench::algorithms;
using plumbline::bench::must;
using plumbline::bench::now_ns;
using plumbline::test::faults;
using plumbline::test::rank;
using plumbline::test::size;

long compared;

// Of a rank's data, so that no byte of another place or rank passes for it.
std::byte pattern(int of_rank, std::size_t at) {
  std::uint64_t hash = (at + 1) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(of_rank + 1) * 0xBF58476D1CE4E5B9u;
  hash ^= hash >> 31;
  return static_cast<std::byte>((hash * 0x94D049BB133111EBu) >> 56);
}

// Between margins that nobody may write to.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes) : data_(bytes + 2 * kMargin, kUntouched), bytes_(bytes) {}

  Bytes all() { return Bytes(data_).subspan(kMargin, bytes_); }
  void fill() {
    for (std::size_t i = 0; i < bytes_; ++i) all()[i] = pattern(rank, i);
  }
  bool margins_are_untouched() const {
    const auto is_untouched = [](std::byte each) { return each == kUntouched; };
    return std::all_of(data_.begin(), data_.begin() + kMargin, is_untouched) &&
           std::all_of(data_.end() - kMargin, data_.end(), is_untouched);
  }
  bool operator==(const Buffer&) const = default;

 private:
  static constexpr std::size_t kMargin = 64;
  static constexpr std::byte kUntouched{0xA5};
  std::vector<std::byte> data_;
  std::size_t bytes_;
};

struct Shape {
  std::size_t send = 0, receive = 0;  // bytes on this rank
};

bool is_rooted(Operation of) {
  return of == Operation::kBcast || of == Operation::kScatter || of == Operation::kGather || of == Operation::kReduce;
}

bool is_reduction(Operation of) {
  return of == Operation::kReduce || of == Operation::kAllreduce || of == Operation::kReduceScatterBlock ||
         of == Operation::kScan;
}

Shape shape_of(Operation operation, std::size_t block, int root) {
  const std::size_t all = block * static_cast<std::size_t>(size);
  const bool is_root = rank == root;
  switch (operation) {
    case Operation::kBcast:
      return {0, block};
    case Operation::kScatter:
      return {is_root ? all : 0, block};
    case Operation::kGather:
      return {block, is_root ? all : 0};
    case Operation::kAllgather:
      return {block, all};
    case Operation::kAlltoall:
      return {all, all};
    case Operation::kReduce:
      return {block, is_root ? block : 0};
    case Operation::kAllreduce:
    case Operation::kScan:
      return {block, block};
    case Operation::kReduceScatterBlock:
      return {all, block};
    case Operation::kBarrier:
      return {};
  }
  return {};
}

void by_library(Operation operation, const Call& call, std::size_t block) {
  int element = 1;
  must(MPI_Type_size(call.type, &element));
  const int count = static_cast<int>(block) / element;
  const void* send = call.send.data();
  void* receive = call.receive.data();
  switch (operation) {
    case Operation::kBcast:
      return must(MPI_Bcast(receive, count, call.type, call.root, call.comm));
    case Operation::kScatter:
      return must(MPI_Scatter(send, count, call.type, receive, count, call.type, call.root, call.comm));
    case Operation::kGather:
      return must(MPI_Gather(send, count, call.type, receive, count, call.type, call.root, call.comm));
    case Operation::kAllgather:
      return must(MPI_Allgather(send, count, call.type, receive, count, call.type, call.comm));
    case Operation::kAlltoall:
      return must(MPI_Alltoall(send, count, call.type, receive, count, call.type, call.comm));
    case Operation::kReduce:
      return must(MPI_Reduce(send, receive, count, call.type, call.op, call.root, call.comm));
    case Operation::kAllreduce:
      return must(MPI_Allreduce(send, receive, count, call.type, call.op, call.comm));
    case Operation::kReduceScatterBlock:
      return must(MPI_Reduce_scatter_block(send, receive, count, call.type, call.op, call.comm));
    case Operation::kScan:
      return must(MPI_Scan(send, receive, count, call.type, call.op, call.comm));
    case Operation::kBarrier:
      return;
  }
}

// The own block of the other buffer, or the other buffer, where the call allows that.
void use_one_buffer(Operation operation, Call& call) {
  const auto own = static_cast<std::size_t>(rank);
  switch (operation) {
    case Operation::kScatter:
      if (rank == call.root)
        call.receive = {const_cast<std::byte*>(call.send.data()) + own * call.receive.size(), call.receive.size()};
      break;
    case Operation::kGather:
      if (rank != call.root) break;
      [[fallthrough]];
    case Operation::kAllgather: {
      const Bytes place = call.receive.subspan(own * call.send.size(), call.send.size());
      std::copy(call.send.begin(), call.send.end(), place.begin());
      call.send = place;
      break;
    }
    case Operation::kReduce:
      if (rank != call.root) break;
      [[fallthrough]];
    case Operation::kAllreduce:
    case Operation::kScan:
      std::copy(call.send.begin(), call.send.end(), call.receive.begin());
      call.send = call.receive;
      break;
    default:
      break;
  }
}

struct Trial {
  Operation operation;
  std::size_t block;
  int root;
  MPI_Datatype type;
  MPI_Op op;
  std::size_t segment = 0, largest_message = std::size_t{1} << 30;
  bool one_buffer = false;
};

void compare(const Trial& trial) {
  const Shape shape = shape_of(trial.operation, trial.block, trial.root);
  Buffer send(shape.send), expected(shape.receive);
  send.fill();
  if (trial.operation == Operation::kBcast && rank == trial.root) expected.fill();
  const Buffer before = expected, given = send;
  Call call;
  call.comm = MPI_COMM_WORLD;
  call.send = send.all();
  call.receive = expected.all();
  call.root = trial.root;
  call.type = trial.type;
  call.op = trial.op;
  by_library(trial.operation, call, trial.block);
  call.segment = trial.segment;
  call.largest_message = trial.largest_message;
  for (const Implementation& each : implementations_of(trial.operation)) {
    if (!each.works_with(size)) continue;
    Buffer found = before;
    Call own = call;
    own.receive = found.all();
    if (trial.one_buffer) use_one_buffer(trial.operation, own);
    each.function(own);
    ++compared;
    const bool scattered_in_place = trial.one_buffer && trial.operation == Operation::kScatter && rank == trial.root;
    const bool same = scattered_in_place || found == expected;
    if (same && send == given && found.margins_are_untouched()) continue;
    ++faults;
    fmt::print(stderr, "rank {} of {}: {} {}, {} bytes, root {}, segment {}, at most {}{}: {}\n", rank, size,
               name_of(trial.operation), each.name, trial.block, trial.root, trial.segment, trial.largest_message,
               trial.one_buffer ? ", one buffer" : "", same ? "writes where it must not" : "other data");
  }
}

void compare_all_ways(Trial trial) {
  compare(trial);
  trial.one_buffer = true;
  compare(trial);
  trial.one_buffer = false;
  if (trial.block == 0 || trial.block > 10'000) return;
  trial.segment = trial.block / 3 + 1;
  trial.largest_message = trial.block / 5 + 1;
  compare(trial);
}

// Nobody leaves before the last has come. One node: one clock.
void compare_barrier(const Implementation& each, int late) {
  Call call;
  call.comm = MPI_COMM_WORLD;
  if (rank == late) usleep(2000);
  std::int64_t come = now_ns();
  each.function(call);
  const std::int64_t left = now_ns();
  must(MPI_Allreduce(MPI_IN_PLACE, &come, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD));
  ++compared;
  if (left >= come) return;
  ++faults;
  fmt::print(stderr, "rank {} of {}: barrier {}: left {} ns before rank {} came\n", rank, size, each.name, come - left,
             late);
}

void compare_operation(Operation operation, std::size_t bytes, int root, bool few) {
  if (is_reduction(operation)) {
    compare_all_ways({operation, bytes, root, MPI_UINT64_T, MPI_SUM});
    if (!few) compare_all_ways({operation, bytes / 8, root, MPI_UNSIGNED_CHAR, MPI_MAX});
  } else {
    compare_all_ways({operation, bytes, root, MPI_BYTE, MPI_OP_NULL});
    if (!few) compare_all_ways({operation, bytes / 8 + 1, root, MPI_BYTE, MPI_OP_NULL});
  }
}

// `few`: for ranks that keep the cores from each other.
void compare_all(bool few) {
  for (const Operation operation :
       {Operation::kBcast, Operation::kScatter, Operation::kGather, Operation::kAllgather, Operation::kAlltoall,
        Operation::kReduce, Operation::kAllreduce, Operation::kReduceScatterBlock, Operation::kScan}) {
    const std::size_t large = is_reduction(operation) || operation == Operation::kBcast ? 200'008 : 40'008;
    const std::vector<std::size_t> some = {0, 4'104}, many = {0, 8, 104, 4'104, large};
    for (const std::size_t bytes : few ? some : many)
      for (int root = few ? size - 1 : 0; root < size; ++root)
        if (is_rooted(operation) || root == size - 1) compare_operation(operation, bytes, root, few);
  }
  for (const Implementation& each : implementations_of(Operation::kBarrier))
    for (int late = few ? size - 1 : 0; late < size && each.works_with(size); ++late) compare_barrier(each, late);
  if (rank == 0) fmt::print("{} calls of {} ranks\n", compared, size);
}

}  // namespace

int main(int argc, char** argv) {
  return plumbline::test::run_cases(argc, argv,
                                    {{"all", [] { compare_all(false); }}, {"few", [] { compare_all(true); }}});
}
