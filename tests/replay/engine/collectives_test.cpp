// Collectives by the algorithms of the libraries: which one a call gets, and what it takes.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "collective_program.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "replay/engine/collective_choice.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

namespace schedules = collectives::schedules;
using schedules::Call;
using Kind = schedules::Operation;

std::vector<std::uint32_t> one_each(std::uint32_t ranks) {
  std::vector<std::uint32_t> nodes(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) nodes[rank] = rank;
  return nodes;
}

Choices forced(Kind operation, const std::string& name, const std::string& library = {}) {
  Choices choices;
  choices.library = library;
  choices.collectives[operation] = name;
  return choices;
}

ReplayResult replay_with(const Program& program, const hw::Platform& platform, Form form, const Choices& choices = {}) {
  ReplayOptions options;
  options.mode = Mode::kFree;
  options.form = form;
  options.choices = choices;
  return replay::replay(program, platform, options);
}

Duration longest(const ReplayResult& result) {
  Duration most;
  for (const auto& rank : result.times)
    for (const OperationTimes& times : rank) most = std::max(most, duration(times));
  return most;
}

std::string only_algorithm(const ReplayResult& result) {
  return result.collectives.size() == 1 ? result.collectives[0].algorithm : "not one";
}

// -- From a recording to a call

std::vector<Call> calls_in(const Program& program) {
  std::vector<Call> calls;
  collectives::for_each_collective(program, [&](const collectives::CollectiveCall& call) {
    calls.push_back(collectives::likely_call_of(program, call).value_or(Call{}));
  });
  return calls;
}

TEST(CollectiveCall, IsPutTogetherFromWhatEachRankKnows) {
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i) {
    const Call call = simple_call(static_cast<Kind>(i), 5, 12, 8, i % 2 == 0 ? 0 : 2);
    const Call read = calls_in(program_of_calls({call}, {one_each(5)})).at(0);
    SCOPED_TRACE(to_string(call.operation));
    EXPECT_EQ(read.operation, call.operation);
    EXPECT_EQ(read.ranks, 5U);
    EXPECT_EQ(read.node_of, one_each(5));
    if (schedules::blocking_form(call.operation) == Kind::barrier) continue;
    EXPECT_EQ(read.type_bytes, call.type_bytes);
    if (call.counts.empty()) {
      EXPECT_EQ(read.count, 12U);
    }
    EXPECT_EQ(read.counts, call.counts);
  }
}

TEST(CollectiveCall, WithoutCountsIsMadeOfTheAmountsOfTheRanks) {
  for (const Kind operation : {Kind::gatherv, Kind::scatterv, Kind::allgatherv, Kind::reduce_scatter}) {
    const Call call = simple_call(operation, 5, 12, 8, 0);
    const Call read = calls_in(program_of_calls({call}, {one_each(5), "", false})).at(0);
    EXPECT_EQ(read.counts, call.counts) << to_string(operation);
  }
}

TEST(CollectiveCall, HasElementsAsLargeAsItsBytesAllow) {
  EXPECT_EQ(calls_in(program_of_calls({simple_call(Kind::bcast, 2, 3, 4)}, {one_each(2)})).at(0).type_bytes, 4U);
  EXPECT_EQ(calls_in(program_of_calls({simple_call(Kind::bcast, 2, 7, 1)}, {one_each(2)})).at(0).type_bytes, 1U);
}

// In place a rank gives no send buffer.
TEST(CollectiveCall, InPlaceIsReadFromWhatIsReceived) {
  const Program program = program_of(one_rank_per_node(
      2,
      "rank 0\n allreduce 0B received 80B\n alltoall 0B received 16B\nrank 1\n allreduce 0B received 80B\n alltoall "
      "0B received 16B\n"));
  const std::vector<Call> calls = calls_in(program);
  EXPECT_EQ(calls.at(0).count * calls.at(0).type_bytes, 80U);
  EXPECT_EQ(calls.at(1).count * calls.at(1).type_bytes, 8U);
  EXPECT_TRUE(calls.at(1).in_place);
  const std::vector<Call> starting = calls_in(program_of(one_rank_per_node(
      2, "rank 0\n iallreduce 0B received 80B -> a\n wait a\nrank 1\n iallreduce 0B received 80B -> a\n wait a\n")));
  EXPECT_EQ(starting.at(0).operation, Kind::iallreduce);
  EXPECT_TRUE(starting.at(0).in_place);
}

// -- Which algorithm

TEST(CollectiveChoice, AsConfiguredAsksTheTablesOfTheRecordedLibrary) {
  const Call call = simple_call(Kind::allreduce, 8, 1);
  for (const auto& [text, library] :
       {std::pair{"Open MPI v4.1.4", schedules::kOpenMpi}, std::pair{"MPICH Version: 4.0.2", schedules::kMpich}}) {
    const Program program = program_of_calls({call}, {one_each(8), text});
    const ReplayResult result = replay_with(program, star(8), Form::kAsConfigured);
    EXPECT_EQ(only_algorithm(result), fmt::format("{} {}", library, schedules::choice_of(library, call).name));
    EXPECT_EQ(result.collectives[0].by, ChosenBy::kTables);
    EXPECT_EQ(result.collectives[0].calls, 1U);
  }
}

TEST(CollectiveChoice, ALibraryThatIsAskedForReplacesTheRecordedOne) {
  const Program program = program_of_calls({simple_call(Kind::allreduce, 8, 1)}, {one_each(8), "Open MPI"});
  Choices choices;
  choices.library = "mpich";
  EXPECT_EQ(only_algorithm(replay_with(program, star(8), Form::kAsConfigured, choices)), "mpich recursive_doubling");
  choices.library = "lam";
  EXPECT_THROW(replay_with(program, star(8), Form::kAsConfigured, choices), Error);
}

// coll_tuned_allreduce_algorithm 4 is the ring; MPICH's variable holds a name.
TEST(CollectiveChoice, AlgorithmsThatWereForcedInTheRecordedRunAreConfigured) {
  const std::string body = "rank 0\n allreduce 80B\nrank 1\n allreduce 80B\nrank 2\n allreduce 80B\n";
  const Program openmpi = program_of(one_rank_per_node(
      3, "property library = \"Open MPI\"\nproperty setting:coll_tuned_allreduce_algorithm = \"4\"\n" + body));
  EXPECT_EQ(only_algorithm(replay_with(openmpi, star(3), Form::kAsConfigured)), "openmpi ring");
  const Program mpich = program_of(
      one_rank_per_node(3,
                        "property library = \"MPICH\"\nproperty setting:MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM = "
                        "\"recursive_doubling\"\n" +
                            body));
  EXPECT_EQ(only_algorithm(replay_with(mpich, star(3), Form::kAsConfigured)), "mpich recursive_doubling");
}

// Libraries have other algorithms, tables and variables for non-blocking forms; coll_libnbc_ibcast_algorithm 3 is the
// chain.
TEST(CollectiveChoice, NonBlockingCallsHaveAlgorithmsAndSettingsOfTheirOwn) {
  const std::string body =
      "rank 0\n ibcast root 0 8B -> a\n wait a\nrank 1\n ibcast root 0 8B -> a\n wait a\n"
      "rank 2\n ibcast root 0 8B -> a\n wait a\n";
  const std::string openmpi = "property library = \"Open MPI\"\n", mpich = "property library = \"MPICH\"\n";
  const auto chosen = [&](const std::string& properties, const Choices& choices) {
    return only_algorithm(
        replay_with(program_of(one_rank_per_node(3, properties + body)), star(3), Form::kAsConfigured, choices));
  };
  EXPECT_EQ(chosen(openmpi, {}), "openmpi linear");
  EXPECT_EQ(chosen(mpich, {}), "mpich sched_binomial");
  EXPECT_EQ(chosen(openmpi + "property setting:coll_libnbc_ibcast_algorithm = \"3\"\n", {}),
            "openmpi chain (segment bytes 16384)");
  EXPECT_EQ(chosen(openmpi + "property setting:coll_tuned_bcast_algorithm = \"3\"\n", {}), "openmpi linear");
  EXPECT_EQ(
      chosen(mpich + "property setting:MPIR_CVAR_IBCAST_INTRA_ALGORITHM = \"sched_scatter_ring_allgather\"\n", {}),
      "mpich sched_scatter_ring_allgather");
  EXPECT_EQ(chosen(openmpi, forced(Kind::ibcast, "binomial")), "openmpi binomial");
  EXPECT_EQ(chosen(mpich, forced(Kind::ibcast, "binomial")), "mpich sched_binomial");
  EXPECT_EQ(chosen(openmpi, forced(Kind::bcast, "binomial")), "openmpi linear");
}

// The ideal may be an algorithm that the libraries have for blocking calls alone.
TEST(CollectiveChoice, TheIdealOfANonBlockingCallIsNoSlowerThanThatOfItsBlockingForm) {
  for (const Kind blocking : {Kind::bcast, Kind::allgather, Kind::alltoall, Kind::reduce_scatter}) {
    const auto ideal = [](Kind operation) {
      return longest(replay_with(program_of_calls({simple_call(operation, 8, 20000)}, {one_each(8), "Open MPI"}),
                                 star(8), Form::kIdeal));
    };
    EXPECT_LE(ideal(schedules::non_blocking_form(blocking)), ideal(blocking)) << to_string(blocking);
  }
}

// Two messages were recorded inside; the forced algorithm, with one, runs in their place.
TEST(CollectiveChoice, WhatIsForcedReplacesWhatWasRecordedInside) {
  const Program program = program_of(one_rank_per_node(
      2,
      "rank 0\n bcast root 0 8B\n inner send 1 tag 0 8B -> a\n inner done a\n inner send 1 tag 0 8B -> b\n inner done "
      "b\nrank 1\n bcast root 0 8B\n inner recv 0 tag 0 8B -> a\n inner done a\n inner recv 0 tag 0 8B -> b\n inner "
      "done b\n"));
  EXPECT_EQ(replay_with(program, star(2), Form::kAsRun).messages, 2U);
  EXPECT_EQ(replay_with(program, star(2), Form::kAsRun, forced(Kind::bcast, "binomial")).messages, 1U);
}

TEST(CollectiveChoice, AnUnknownLibraryIsReplayedByTheStandIns) {
  const Program program = program_of_calls({simple_call(Kind::allreduce, 8, 1)}, {one_each(8)});
  const ReplayResult result = replay_with(program, star(8), Form::kAsConfigured);
  EXPECT_EQ(only_algorithm(result), "stand-in: binomial tree up and down");
  EXPECT_EQ(result.collectives[0].by, ChosenBy::kNobody);
}

TEST(CollectiveChoice, AForcedAlgorithmRunsInEveryForm) {
  const Program program = program_of_calls({simple_call(Kind::allreduce, 8, 64)}, {one_each(8), "Open MPI"});
  for (const Form form : {Form::kIdeal, Form::kAsConfigured, Form::kAsRun}) {
    const ReplayResult result = replay_with(program, star(8), form, forced(Kind::allreduce, "ring"));
    EXPECT_EQ(only_algorithm(result), "openmpi ring");
    EXPECT_EQ(result.collectives[0].by, ChosenBy::kForced);
    EXPECT_EQ(result.messages, 8U * 14U);
  }
}

TEST(CollectiveChoice, AForcedAlgorithmThatCannotRunACallLeavesItToTheTables) {
  const Program program = program_of_calls({simple_call(Kind::allgather, 6, 64)}, {one_each(6), "MPICH"});
  const ReplayResult result =
      replay_with(program, star(6), Form::kAsConfigured, forced(Kind::allgather, "mpich:recursive_doubling"));
  EXPECT_EQ(only_algorithm(result), "mpich brucks");
  EXPECT_EQ(result.collectives[0].by, ChosenBy::kTables);
}

// Rank 1 calls something else: nobody knows what all of them agreed on, and each does what it said.
TEST(CollectiveChoice, RanksThatDisagreeAreReplayedByTheirOwnRecords) {
  const Program program =
      program_of(one_rank_per_node(2, "property library = \"Open MPI\"\nrank 0\n bcast root 0 8B\nrank 1\n barrier\n"));
  const ReplayResult result = replay_with(program, star(2), Form::kAsConfigured);
  EXPECT_EQ(result.collectives[0].by, ChosenBy::kNobody);
  EXPECT_EQ(result.messages, 2U) << "that of the broadcast, and the one that rank 1 sends in its barrier";
  EXPECT_EQ(result.unreceived, 1U);
}

TEST(CollectiveChoice, EqualCallsOfDifferentCommunicatorsAreChosenForEach) {
  const Program program = program_of(

      one_rank_per_node(
          4,
          "comm 1 = 0 1 2\nproperty library = \"Open MPI\"\nrank 0\n bcast root 0 2000B comm 1\n bcast root 0 2000B\n"
          "rank 1\n bcast root 0 2000B comm 1\n bcast root 0 2000B\n"
          "rank 2\n bcast root 0 2000B comm 1\n bcast root 0 2000B\nrank 3\n bcast root 0 2000B\n"));
  const ReplayResult result = replay_with(program, star(4), Form::kAsConfigured);
  ASSERT_EQ(result.collectives.size(), 2U);
  EXPECT_NE(result.collectives[0].algorithm, result.collectives[1].algorithm);
}

// -- What it takes

std::uint64_t seed() {
  const char* given = std::getenv("PLUMBLINE_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

struct RandomCall {
  Call call;
  std::vector<std::uint32_t> nodes;
  hw::Platform platform;
};

RandomCall random_call(sim::RandomStream& random, Kind operation) {
  RandomCall result;
  const std::uint32_t ranks = 2 + static_cast<std::uint32_t>(random.below(15));
  const std::uint32_t nodes = 1 + static_cast<std::uint32_t>(random.below(ranks));
  result.call = simple_call(operation, ranks, random.below(400), random.below(2) == 0 ? 8 : 4,
                            static_cast<std::uint32_t>(random.below(ranks)));
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    result.nodes.push_back(static_cast<std::uint32_t>(random.below(nodes)));
  result.call.node_of = result.nodes;
  result.platform = star(nodes);
  for (hw::Edge& edge : result.platform.edges) edge.rate.value = {200'000'000 + random.below(2'000'000'000)};
  return result;
}

std::vector<schedules::Algorithm> runnable(const Call& call) {
  std::vector<schedules::Algorithm> all;
  for (const std::string_view library : schedules::kLibraries)
    for (const schedules::Algorithm& algorithm : schedules::algorithms_for(library, call.operation)) {
      try {
        if (schedules::effective(algorithm, call) == algorithm) all.push_back(algorithm);
      } catch (const Error&) {
        continue;
      }
    }
  return all;
}

std::uint64_t sends_of(const schedules::Algorithm& algorithm, const Call& call) {
  std::uint64_t sends = 0;
  for (std::uint32_t rank = 0; rank < call.ranks; ++rank)
    for (const schedules::Round& round : schedules::schedule_of(algorithm, call, rank))
      sends += static_cast<std::uint64_t>(
          std::ranges::count_if(round.posted, [](const schedules::Transfer& transfer) { return transfer.send; }));
  return sends;
}

// As the replay reads it: with elements of 8 bytes where they fit.
Call read_back(const Program& program, const std::vector<std::uint32_t>& nodes) {
  Call read;
  collectives::for_each_collective(program, [&](const collectives::CollectiveCall& call) {
    read = *collectives::likely_call_of(program, call, {.nodes = nodes, .without_matrix = true});
  });
  return read;
}

TEST(CollectiveProperty, EveryAlgorithmIsReplayedMessageByMessage) {
  sim::RandomStream random(seed(), "every algorithm");
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
    for (int n = 0; n < 4; ++n) {
      const RandomCall of = random_call(random, static_cast<Kind>(i));
      const Program program = program_of_calls({of.call, of.call}, {of.nodes});
      Call call = read_back(program, of.nodes);
      if (call.in_rows) call = of.call;
      for (const schedules::Algorithm& algorithm : runnable(call)) {
        if (algorithm.name == "chain" && algorithm.fan_out != 1) continue;  // the name means the first of them
        const ReplayResult result =
            replay_with(program, of.platform, Form::kAsConfigured,
                        forced(of.call.operation, fmt::format("{}:{}", algorithm.library, algorithm.name)));
        EXPECT_EQ(result.messages, 2 * sends_of(algorithm, call)) << "seed " << seed() << " " << to_string(algorithm);
        EXPECT_EQ(result.unreceived, 0U) << "seed " << seed() << " " << to_string(algorithm);
      }
    }
}

// Started and waited for: rounds behind the first one are taken in the wait.
TEST(CollectiveProperty, EveryNonBlockingAlgorithmEndsInItsWait) {
  sim::RandomStream random(seed(), "every non-blocking algorithm");
  for (int i = static_cast<int>(Kind::ibarrier); i <= static_cast<int>(schedules::kLastOperation); ++i)
    for (int n = 0; n < 4; ++n) {
      const RandomCall of = random_call(random, static_cast<Kind>(i));
      const Program program = program_of_calls({of.call, of.call}, {.nodes = of.nodes, .starts = true});
      Call call = read_back(program, of.nodes);
      if (call.in_rows) call = of.call;
      for (const schedules::Algorithm& algorithm : runnable(call)) {
        const ReplayResult result =
            replay_with(program, of.platform, Form::kAsConfigured,
                        forced(of.call.operation, fmt::format("{}:{}", algorithm.library, algorithm.name)));
        EXPECT_EQ(result.messages, 2 * sends_of(algorithm, call)) << "seed " << seed() << " " << to_string(algorithm);
        EXPECT_EQ(result.unreceived, 0U) << "seed " << seed() << " " << to_string(algorithm);
      }
    }
}

std::vector<collectives::Shape> shapes_of(const Program& program) {
  std::vector<collectives::Shape> shapes;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    shapes.push_back(shape_of(program, rank, program.rank(rank).operations[0], program.ranks(), rank));
  return shapes;
}

// The promise of the ideal form: alone it is never slower than anything that it could have been.
TEST(CollectiveProperty, TheIdealIsNeverSlowerAloneThanWhatIsConfiguredOrAnyOther) {
  sim::RandomStream random(seed(), "ideal");
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i)
    for (int n = 0; n < 4; ++n) {
      const RandomCall of = random_call(random, static_cast<Kind>(i));
      SCOPED_TRACE(fmt::format("seed {}: {}, call {}", seed(), to_string(of.call.operation), n));
      const Program program = program_of_calls({of.call}, {of.nodes, "Open MPI"});
      const Duration ideal = longest(replay_with(program, of.platform, Form::kIdeal));
      for (const char* library : {"openmpi", "mpich"}) {
        Choices choices;
        choices.library = library;
        EXPECT_LE(ideal, longest(replay_with(program, of.platform, Form::kAsConfigured, choices))) << library;
      }
      BestSchedules alone(of.platform, of.nodes);
      const std::vector<collectives::Shape> shapes = shapes_of(program);
      std::vector<std::uint32_t> members = one_each(of.call.ranks);
      const Call read = read_back(program, of.nodes);
      const CallOfRanks call{&read, members, shapes};
      EXPECT_LE(ideal, alone.time_alone(call, std::nullopt)) << "the stand-in";
      for (const schedules::Algorithm& algorithm : runnable(read))
        EXPECT_LE(ideal, alone.time_alone(call, algorithm)) << to_string(algorithm);
    }
}

TEST(CollectiveProperty, ACallAloneTakesWhatItTakesInAReplayOfItAlone) {
  sim::RandomStream random(seed(), "alone");
  for (int i = 0; i <= static_cast<int>(schedules::kLastOperation); ++i) {
    const RandomCall of = random_call(random, static_cast<Kind>(i));
    const Program program = program_of_calls({of.call}, {of.nodes});
    BestSchedules alone(of.platform, of.nodes);
    const std::vector<collectives::Shape> shapes = shapes_of(program);
    const std::vector<std::uint32_t> members = one_each(of.call.ranks);
    const Call read = read_back(program, of.nodes);
    for (const schedules::Algorithm& algorithm : runnable(read)) {
      if (algorithm.name == "chain" && algorithm.fan_out != 1) continue;
      const ReplayResult result =
          replay_with(program, of.platform, Form::kAsConfigured,
                      forced(of.call.operation, fmt::format("{}:{}", algorithm.library, algorithm.name)));
      EXPECT_EQ(alone.time_alone({&read, members, shapes}, algorithm), longest(result))
          << "seed " << seed() << " " << to_string(algorithm);
    }
  }
}

// Beyond its bounds a search takes what is configured.
TEST(BestSchedules, WhatWouldTakeTooLongIsLeftToTheTables) {
  const Call call = simple_call(Kind::alltoall, 8, 100);
  const Program program = program_of_calls({call}, {one_each(8)});
  const std::vector<collectives::Shape> shapes = shapes_of(program);
  const std::vector<std::uint32_t> members = one_each(8);
  const schedules::Algorithm usual = *algorithm_named(Kind::alltoall, "pairwise", "openmpi");
  BestSchedules bounded(star(8), members, {.packets_of_candidate = 40});
  EXPECT_EQ(bounded.best({&call, members, shapes}, usual), usual);
  EXPECT_EQ(bounded.tried(), 0U);
  BestSchedules exhausted(star(8), members, {.packets_in_all = 0});
  EXPECT_EQ(exhausted.best({&call, members, shapes}, usual), usual);
  BestSchedules free_to_search(star(8), members);
  free_to_search.best({&call, members, shapes}, usual);
  const std::uint64_t tried = free_to_search.tried();
  EXPECT_GT(tried, 3U);
  free_to_search.best({&call, members, shapes}, usual);
  EXPECT_EQ(free_to_search.tried(), tried) << "equal calls are searched for once";
}

// One pass over 1000 B at 1 GB/s for what is combined: of two ranks each combines what it receives.
TEST(Collectives, CombiningCostsOnePassOverWhatIsReceived) {
  const Program sums = program_of_calls({simple_call(Kind::allreduce, 2, 125)}, {one_each(2)});
  const Program blocks = program_of_calls({simple_call(Kind::allgather, 2, 125)}, {one_each(2)});
  const Duration reduced =
      longest(replay_with(sums, star(2), Form::kAsConfigured, forced(Kind::allreduce, "openmpi:recursive_doubling")));
  const Duration gathered =
      longest(replay_with(blocks, star(2), Form::kAsConfigured, forced(Kind::allgather, "openmpi:two_proc")));
  EXPECT_EQ(reduced - gathered, microseconds(1));
}

// -- "allreduce=ring"

std::string complaint(const std::string& text) {
  Choices choices;
  try {
    force_collective(text, choices);
  } catch (const Error& error) {
    return to_string(error.problems().front());
  }
  return "";
}

TEST(ForceCollective, TakesAnOperationAndOneOfItsAlgorithms) {
  Choices choices;
  force_collective("allreduce=ring", choices);
  force_collective("allgather=mpich:ring", choices);
  EXPECT_EQ(choices.collectives.at(Kind::allreduce), "ring");
  EXPECT_EQ(choices.collectives.at(Kind::allgather), "mpich:ring");
}

TEST(ForceCollective, TakesMpichsNonBlockingAlgorithmsByTheirShortNames) {
  EXPECT_EQ(complaint("ibcast=mpich:binomial"), "");
  EXPECT_EQ(complaint("ibcast=mpich:sched_binomial"), "");
  EXPECT_NE(complaint("ibcast=mpich:basic_linear"), "");
}

TEST(ForceCollective, NamesTheNearestOfWhatThereIs) {
  EXPECT_EQ(complaint("allreduce"),
            "allreduce: names no algorithm; write OPERATION=ALGORITHM, for example allreduce=ring");
  EXPECT_THAT(complaint("alreduce=ring"),
              testing::StartsWith("alreduce=ring: there is no collective 'alreduce'; did you mean 'allreduce'"));
  EXPECT_THAT(complaint("allreduce=rign"),
              testing::StartsWith("allreduce=rign: allreduce has no algorithm 'rign'; did you mean 'ring'"));
  EXPECT_THAT(complaint("bcast=lam:ring"), testing::HasSubstr("'lam' are known; known: openmpi, mpich, piosimhd"));
}

}  // namespace
}  // namespace plumbline::replay::test
