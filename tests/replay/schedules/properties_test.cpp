// Every algorithm, over random calls: its ranks agree, do not block each other with rendezvous, and what must be known
// in the end is known. PLUMBLINE_SEED=n runs one seed again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

constexpr int kCallsPerOperation = 20;

class RandomCalls {
 public:
  explicit RandomCalls(std::uint64_t seed) : random_(seed) {}

  Call next(Operation operation) {
    Call call = call_of(operation, one_in(3) ? 1U << below(6) : below(33) + 1, 0, std::uint64_t{1} << below(4));
    call.root = below(call.ranks);
    call.count = one_in(8) ? 0 : std::uint64_t{1} << below(18);
    if (!one_in(3)) call.count += below(static_cast<std::uint32_t>(call.count) + 1);
    call.commutative = !one_in(4);
    call.built_in = call.commutative && !one_in(4);
    call.in_place = one_in(3);
    add_counts(call);
    if (!one_in(3)) add_nodes(call);
    return call;
  }

  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }

 private:
  // Some empty. In place, two ranks exchange as much as they get.
  void add_counts(Call& call) {
    const std::uint64_t n = call.ranks;
    const Operation kind = blocking_form(call.operation);
    const bool matrix = kind == Operation::alltoallv || kind == Operation::alltoallw;
    if (!matrix && kind != Operation::gatherv && kind != Operation::scatterv && kind != Operation::allgatherv &&
        kind != Operation::reduce_scatter)
      return;
    const bool equal = one_in(3);
    for (std::uint64_t i = 0; i < (matrix ? n * n : n); ++i)
      call.counts.push_back(equal ? call.count : one_in(4) ? 0 : below(20000));
    for (std::uint64_t i = 0; matrix && call.in_place && i < n; ++i)
      for (std::uint64_t j = 0; j < i; ++j) call.counts[i * n + j] = call.counts[j * n + i];
  }

  void add_nodes(Call& call) {
    const std::uint32_t nodes = below(call.ranks) + 1;
    const bool consecutive = one_in(2);
    for (std::uint32_t rank = 0; rank < call.ranks; ++rank)
      call.node_of.push_back(consecutive ? rank * nodes / call.ranks : below(nodes) * 3);
  }

  std::mt19937_64 random_;
};

std::string words(const Call& call) {
  std::string text = std::string(to_string(call.operation)) + " ranks " + std::to_string(call.ranks) + " root " +
                     std::to_string(call.root) + " count " + std::to_string(call.count) + " x " +
                     std::to_string(call.type_bytes) + (call.commutative ? "" : " not commutative") +
                     (call.built_in ? "" : " not built in") + (call.in_place ? " in place" : "");
  if (!call.node_of.empty()) text += " nodes";
  for (const std::uint32_t node : call.node_of) text += ' ' + std::to_string(node);
  return text;
}

std::uint64_t block_of(const Call& call, std::uint32_t rank) {
  return (rank < call.counts.size() ? call.counts[rank] : call.count) * call.type_bytes;
}

std::uint64_t all_blocks(const Call& call) {
  std::uint64_t bytes = 0;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) bytes += block_of(call, rank);
  return bytes;
}

// From whom `rank` must have heard in the end: as long as there are data.
bool must_know(const Call& call, std::uint32_t rank, std::uint32_t of) {
  const std::uint64_t bytes = call.count * call.type_bytes;
  switch (blocking_form(call.operation)) {
    case Operation::barrier:
      return true;
    case Operation::bcast:
      return bytes > 0 && of == call.root;
    case Operation::scatter:
    case Operation::scatterv:
      return block_of(call, rank) > 0 && of == call.root;
    case Operation::reduce:
      return bytes > 0 && rank == call.root;
    case Operation::gather:
    case Operation::gatherv:
      return block_of(call, of) > 0 && rank == call.root;
    case Operation::allreduce:
    case Operation::alltoall:
      return bytes > 0;
    case Operation::allgather:
    case Operation::allgatherv:
      return block_of(call, of) > 0;
    case Operation::alltoallv:
    case Operation::alltoallw:
      return call.counts[std::size_t{of} * call.ranks + rank] > 0;
    case Operation::reduce_scatter:
    case Operation::reduce_scatter_block:
      return block_of(call, rank) > 0;
    case Operation::scan:
    case Operation::exscan:
      return bytes > 0 && of < rank;
    default:
      return false;
  }
}

// The fewest bytes that can reach `rank`.
std::uint64_t least_received(const Call& call, std::uint32_t rank) {
  switch (blocking_form(call.operation)) {
    case Operation::bcast:
      return rank == call.root ? 0 : call.count * call.type_bytes;
    case Operation::scatter:
    case Operation::scatterv:
      return rank == call.root ? 0 : block_of(call, rank);
    case Operation::gather:
    case Operation::gatherv:
      return rank == call.root ? all_blocks(call) - block_of(call, rank) : 0;
    case Operation::allgather:
    case Operation::allgatherv:
      return all_blocks(call) - block_of(call, rank);
    case Operation::alltoall:
      return (call.ranks - 1) * call.count * call.type_bytes;
    case Operation::alltoallv:
    case Operation::alltoallw: {
      std::uint64_t elements = 0;
      for (std::uint32_t from = 0; from < call.ranks; ++from)
        if (from != rank) elements += call.counts[std::size_t{from} * call.ranks + rank];
      return elements * call.type_bytes;
    }
    default:
      return 0;
  }
}

// The fewest bytes of all messages: an element that is combined from all ranks has made ranks - 1 steps, and as many
// again to be known to all.
std::uint64_t least_sent(const Call& call) {
  const std::uint64_t steps = call.ranks - 1;
  switch (blocking_form(call.operation)) {
    case Operation::reduce:
      return steps * call.count * call.type_bytes;
    case Operation::allreduce:
      return 2 * steps * call.count * call.type_bytes;
    case Operation::reduce_scatter:
    case Operation::reduce_scatter_block:
      return steps * all_blocks(call);
    case Operation::scan:
      return steps * call.count * call.type_bytes;
    default:
      return 0;
  }
}

void expect_complete(const Algorithm& algorithm, const Call& call) {
  SCOPED_TRACE(to_string(algorithm) + ": " + words(call));
  const Played played = play(schedules_of(algorithm, call));
  ASSERT_EQ(played.fault, "");
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank) {
    EXPECT_GE(played.received[rank], least_received(call, rank)) << "rank " << rank;
    for (std::uint32_t of = 0; of < call.ranks; ++of) {
      if (!must_know(call, rank, of)) continue;
      EXPECT_TRUE(played.knows[rank].contains(of)) << rank << " knows nothing of " << of;
    }
  }
  EXPECT_GE(played.bytes, least_sent(call));
}

TEST(ScheduleProperty, EveryAlgorithmIsCompleteAndFreeOfDeadlock) {
  const std::uint64_t s = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << s);
  RandomCalls calls(s);
  for (int i = 0; i <= static_cast<int>(kLastOperation); ++i)
    for (int n = 0; n < kCallsPerOperation; ++n) {
      const Call call = calls.next(static_cast<Operation>(i));
      for (const std::string_view library : kLibraries)
        for (Algorithm algorithm : algorithms_for(library, call.operation)) {
          try {
            effective(algorithm, call);
          } catch (const Error&) {
            continue;  // it cannot run this call
          }
          if (library == kOpenMpi && calls.one_in(2))  // a few segments: thousands of them only take time
            algorithm.segment_bytes = call.count * call.type_bytes / (1 + calls.below(20)) + calls.below(3);
          if (algorithm.name == "knomial") algorithm.radix = 2 + calls.below(6);
          expect_complete(algorithm, call);
          if (HasFatalFailure()) return;
        }
    }
}

TEST(ScheduleProperty, TheLibrariesOwnChoiceCanAlwaysRun) {
  const std::uint64_t s = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << s);
  RandomCalls calls(s);
  for (int i = 0; i <= static_cast<int>(kLastOperation); ++i)
    for (int n = 0; n < kCallsPerOperation; ++n) {
      const Call call = calls.next(static_cast<Operation>(i));
      for (const std::string_view library : {kOpenMpi, kMpich}) {
        const Algorithm choice = choice_of(library, call);
        EXPECT_EQ(effective(choice, call), choice) << to_string(choice) << ": " << words(call);
        expect_complete(choice, call);
      }
    }
}

bool runs_itself(const Algorithm& algorithm, const Call& call) {
  try {
    return effective(algorithm, call) == algorithm;
  } catch (const Error&) {
    return false;
  }
}

// So that the properties above are not held by fallbacks alone.
TEST(ScheduleProperty, EveryAlgorithmRunsSomeCallItself) {
  for (int i = 0; i <= static_cast<int>(kLastOperation); ++i)
    for (const std::string_view library : kLibraries)
      for (Algorithm algorithm : algorithms_for(library, static_cast<Operation>(i))) {
        if (algorithm.name == "segmented_ring") algorithm.segment_bytes = 64;
        bool ran = false;
        for (const std::uint32_t ranks : {1, 2, 8})
          for (const bool in_place : {false, true}) {
            const bool is_smp = algorithm.name == "smp";  // for empty buffers
            Call call = call_of(algorithm.operation, ranks, is_smp ? 0 : 100, 8, ranks / 2);
            call.in_place = in_place;
            const Operation kind = blocking_form(call.operation);
            const bool matrix = kind == Operation::alltoallv || kind == Operation::alltoallw;
            call.counts.assign(matrix ? std::size_t{ranks} * ranks : ranks, 100);
            if (!runs_itself(algorithm, call)) continue;
            ran = true;
            expect_complete(algorithm, call);
          }
        EXPECT_TRUE(ran) << to_string(algorithm);
      }
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
