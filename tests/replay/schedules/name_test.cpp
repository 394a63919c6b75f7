#include "replay/collectives/schedules/name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

using testing::Contains;
using testing::IsEmpty;

Observed observed_of(const Algorithm& algorithm, const Call& call) {
  Observed observed;
  for (const Schedule& schedule : schedules_of(algorithm, call)) {
    observed.ranks.emplace_back();
    for (const Round& round : schedule)
      observed.ranks.back().insert(observed.ranks.back().end(), round.posted.begin(), round.posted.end());
  }
  return observed;
}

TEST(ScheduleName, TheLibrarysOwnChoiceComesFirst) {
  const Call call = call_of(Operation::bcast, 8, 65536);  // linear
  const Observed observed = observed_of(openmpi_choice(call), call);
  EXPECT_EQ(algorithms_that_fit(kOpenMpi, call, observed).front(), openmpi_choice(call));
}

TEST(ScheduleName, AnAlgorithmThatTheLibraryDidNotChooseIsFound) {
  const Call call = call_of(Operation::allreduce, 8, 4096, 8);
  const Algorithm ring = algorithm_named(kOpenMpi, Operation::allreduce, "ring");
  EXPECT_EQ(algorithms_that_fit(kOpenMpi, call, observed_of(ring, call)), std::vector<Algorithm>{ring});
}

TEST(ScheduleName, AlgorithmsWithTheSameMessagesAllFit) {
  const Call call = call_of(Operation::alltoall, 8, 100);
  const Algorithm linear = algorithm_named(kOpenMpi, Operation::alltoall, "linear");
  const auto fitting = algorithms_that_fit(kOpenMpi, call, observed_of(linear, call));
  EXPECT_EQ(fitting.front().name, "linear_sync");  // which Open MPI chooses
  EXPECT_THAT(fitting, Contains(linear));
}

TEST(ScheduleName, AnUnknownPatternHasNoName) {
  const Call call = call_of(Operation::bcast, 8, 4096);
  Observed observed = observed_of(openmpi_choice(call), call);
  observed.ranks[3].push_back({true, 5, 1});
  EXPECT_THAT(algorithms_that_fit(kOpenMpi, call, observed), IsEmpty());
}

// Recursive doubling of 512 B between 8 ranks: rank 3 sends to 2, 1 and 7.
TEST(ScheduleName, TheFirstDifferenceIsTold) {
  const Call call = call_of(Operation::allreduce, 8, 512);
  const Algorithm doubling = algorithm_named(kOpenMpi, Operation::allreduce, "recursive_doubling");
  Observed observed = observed_of(doubling, call);
  EXPECT_EQ(first_difference(doubling, call, observed), std::nullopt);
  for (Transfer& transfer : observed.ranks[3])
    if (transfer.send && transfer.peer == 7) transfer = {true, 1, 1024};
  EXPECT_EQ(first_difference(doubling, call, observed), "rank 3, send 2: expected 512 B to 7, observed 1024 B to 1");
}

TEST(ScheduleName, AMissingReceiveIsTold) {
  const Call call = call_of(Operation::bcast, 2, 512);
  const Algorithm linear = algorithm_named(kOpenMpi, Operation::bcast, "basic_linear");
  Observed observed = observed_of(linear, call);
  observed.ranks[1].clear();
  EXPECT_EQ(first_difference(linear, call, observed), "rank 1, receive 0: expected 512 B from 0, observed none");
}

TEST(ScheduleName, HowSendsAndReceivesAreMixedDoesNotMatter) {
  const Call call = call_of(Operation::allgather, 8, 512);
  Observed observed = observed_of(openmpi_choice(call), call);
  for (auto& posts : observed.ranks)
    std::stable_partition(posts.begin(), posts.end(), [](const Transfer& transfer) { return transfer.send; });
  EXPECT_EQ(first_difference(openmpi_choice(call), call, observed), std::nullopt);
}

TEST(ScheduleName, ReceivesFromAnySourceMayComeInAnyOrder) {
  const Call call = call_of(Operation::barrier, 4, 0);
  const Algorithm linear = algorithm_named(kOpenMpi, Operation::barrier, "linear");
  Observed observed = observed_of(linear, call);
  std::swap(observed.ranks[0][0], observed.ranks[0][2]);
  EXPECT_EQ(first_difference(linear, call, observed), std::nullopt);
  observed.ranks[0][0].peer = observed.ranks[0][1].peer;
  EXPECT_EQ(first_difference(linear, call, observed), "rank 0, receive 2: expected 0 B from 3, observed 0 B from 2");
}

TEST(ScheduleName, TheNumberOfRanksMustBeTheCalls) {
  const Call call = call_of(Operation::barrier, 4, 0);
  EXPECT_EQ(first_difference(openmpi_choice(call), call, {}), "expected 4 ranks, observed 0");
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
