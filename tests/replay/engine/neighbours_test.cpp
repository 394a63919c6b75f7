// Neighbourhood collectives: what a rank posts, what it waits for, and what holds for random graphs.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "replay/collectives/neighbourhood.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kGraphSeeds = 60;

struct Edge {
  std::uint64_t from = 0, to = 0, bytes = 0;
};

// Some edges several times, some from a rank to itself; ranks without any. Calls with other amounts on the same edges.
struct RandomGraph {
  std::uint32_t ranks = 0;
  std::vector<std::vector<Edge>> calls;
  std::string collectives, messages;  // the program, and the same by messages, on a communicator in another order

  explicit RandomGraph(std::uint64_t seed, std::uint64_t largest, bool starts_early) : random_(seed, "graphs") {
    ranks = 2 + static_cast<std::uint32_t>(random_.below(8));
    std::vector<Edge> edges(random_.below(4 * ranks));
    for (Edge& edge : edges) edge = {random_.below(ranks), random_.below(ranks), 0};
    calls.assign(1 + random_.below(3), edges);
    for (std::vector<Edge>& call : calls)
      for (Edge& edge : call) edge.bytes = random_.below(largest + 1);
    for (std::string* text : {&collectives, &messages}) *text = one_rank_per_node(ranks, comm());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) write_rank(rank, starts_early);
  }

  std::uint64_t edges() const { return calls.size() * calls.front().size(); }

 private:
  // World rank w has rank (ranks - 1 - w) there.
  std::string comm() const {
    std::string text = "comm 1 =";
    for (std::uint32_t rank = 0; rank < ranks; ++rank) text += fmt::format(" {}", ranks - 1 - rank);
    return text + '\n';
  }

  void write_rank(std::uint32_t world, bool starts_early) {
    const std::uint32_t rank = ranks - 1 - world;
    for (std::string* text : {&collectives, &messages}) *text += fmt::format("rank {}\n", world);
    for (std::size_t call = 0; call < calls.size(); ++call) {
      std::string to, from, receives, sends, wait = "wait";
      for (std::size_t i = 0; i < calls[call].size(); ++i) {
        const Edge& edge = calls[call][i];
        if (edge.to == rank) {
          from += fmt::format("{}{}:{}", from.empty() ? "" : ",", edge.from, edge.bytes);
          receives += fmt::format("irecv {} tag 0 {}B comm 1 -> r{}\n", edge.from, edge.bytes, i);
          wait += fmt::format(" r{}", i);
        }
        if (edge.from == rank) {
          to += fmt::format("{}{}:{}", to.empty() ? "" : ",", edge.to, edge.bytes);
          sends += fmt::format("isend {} tag 0 {}B comm 1 -> s{}\n", edge.to, edge.bytes, i);
          wait += fmt::format(" s{}", i);
        }
      }
      const std::string lists = fmt::format("neighbor_alltoallv to {} from {} comm 1", to.empty() ? "none" : to,
                                            from.empty() ? "none" : from);
      const std::string compute = fmt::format("compute {}us\n", random_.below(40));
      collectives += compute + (starts_early ? "i" + lists + " -> a\n compute 30us\n wait a\n" : lists + '\n');
      messages += compute + receives + sends + wait + '\n';
    }
  }

  sim::RandomStream random_;
};

Time end_of_rank(const ReplayResult& result, std::uint32_t rank) { return result.times[rank].back().end; }

TEST(Neighbours, ASmallExchangeTakesTheTimeOfItsMessages) {
  for (std::uint64_t seed = 0; seed < kGraphSeeds; ++seed) {
    const RandomGraph graph(seed, 1000, false);
    const ReplayResult collectives = run(program_of(graph.collectives), star(graph.ranks));
    const ReplayResult messages = run(program_of(graph.messages), star(graph.ranks));
    for (std::uint32_t rank = 0; rank < graph.ranks; ++rank)
      ASSERT_EQ(end_of_rank(collectives, rank), end_of_rank(messages, rank)) << "seed " << seed << ", rank " << rank;
  }
}

TEST(Neighbours, EveryEdgeIsOneMessageWhateverTheModeAndForm) {
  for (std::uint64_t seed = 0; seed < kGraphSeeds; ++seed)
    for (const bool starts_early : {false, true}) {
      const RandomGraph graph(seed, 50'000, starts_early);
      const Program program = program_of(graph.collectives);
      for (const Mode mode : {Mode::kFree, Mode::kAnchored})
        for (const Form form : {Form::kIdeal, Form::kAsConfigured, Form::kAsRun}) {
          const ReplayResult result = run(program, star(graph.ranks), mode, form);
          ASSERT_EQ(result.messages, graph.edges()) << "seed " << seed;
          ASSERT_EQ(result.unreceived, 0U) << "seed " << seed;
        }
    }
}

TEST(Neighbours, TwoReplaysAreEqualAndSoIsOneThatDoesNotRunAhead) {
  for (std::uint64_t seed = 0; seed < kGraphSeeds; ++seed)
    for (const bool starts_early : {false, true}) {
      const RandomGraph graph(seed, 50'000, starts_early);
      const Program program = program_of(graph.collectives), again = program_of(graph.collectives);
      ASSERT_EQ(program.content_key(), again.content_key());
      ReplayOptions options{.mode = Mode::kFree};
      const ReplayResult first = replay::replay(program, star(graph.ranks), options);
      const ReplayResult second = replay::replay(again, star(graph.ranks), options);
      options.run_ahead = false;
      const ReplayResult by_events = replay::replay(program, star(graph.ranks), options);
      for (std::uint32_t rank = 0; rank < graph.ranks; ++rank)
        for (std::size_t i = 0; i < first.times[rank].size(); ++i)
          for (const ReplayResult* other : {&second, &by_events}) {
            ASSERT_EQ(first.times[rank][i].begin, other->times[rank][i].begin) << "seed " << seed;
            ASSERT_EQ(first.times[rank][i].end, other->times[rank][i].end) << "seed " << seed;
          }
    }
}

TEST(Neighbours, ThoseOfOneCallDoNotMeetThoseOfAnother) {
  // The first call of rank 1 comes when rank 0 has made both of its own.
  const ReplayResult r =
      run(program_of(one_rank_per_node(2,
                                       "rank 0\n ineighbor_alltoallv to 1:100 from none -> a\n"
                                       " ineighbor_alltoallv to 1:900 from none -> b\n wait a b\n"
                                       "rank 1\n compute 100us\n neighbor_alltoallv to none from 0:100\n"
                                       " compute 10us\n neighbor_alltoallv to none from 0:900\n")),
          star(2));
  EXPECT_EQ(r.messages, 2U);
  EXPECT_EQ(duration(r.times[1][0]), microseconds(2));
  EXPECT_EQ(duration(r.times[1][1]), microseconds(2));
}

TEST(Neighbours, ARankWithoutAnyGoesOnAtOnce) {
  const ReplayResult r = run(program_of(one_rank_per_node(3,
                                                          "rank 0\n neighbor_allgather to 1:8 from 1:8\n"
                                                          "rank 1\n compute 1ms\n neighbor_allgather to 0:8 from 0:8\n"
                                                          "rank 2\n neighbor_allgather to none from none\n")),
                             star(3));
  EXPECT_GT(duration(r.times[0][0]), microseconds(1000));
  EXPECT_EQ(duration(r.times[2][0]), Duration{});
}

TEST(Neighbours, AGraphThatTheRanksSeeDifferentlyEndsInTheReport) {
  EXPECT_THAT(stuck_text(program_of(one_rank_per_node(2,
                                                      "rank 0\n neighbor_alltoall to none from 1:8\n"
                                                      "rank 1\n neighbor_alltoall to none from none\n")),
                         star(2)),
              HasSubstr("rank 0: operation 0, MPI_Neighbor_alltoall: waits for rank 1 in the same collective"));
  EXPECT_THAT(stuck_text(program_of(one_rank_per_node(2,
                                                      "rank 0\n neighbor_alltoall to 1:5000 from none\n"
                                                      "rank 1\n neighbor_alltoall to none from none\n")),
                         star(2)),
              HasSubstr("rank 0: operation 0, MPI_Neighbor_alltoall: waits for rank 1 in the same collective"));
}

TEST(Neighbours, AreJudged) {
  const Program p = program_of(one_rank_per_node(2,
                                                 "rank 0\n neighbor_alltoall to 1:8 from 1:8 +1us\n"
                                                 " ineighbor_allgatherv to 1:8 from 1:8 -> a\n wait a\n"
                                                 "rank 1\n neighbor_alltoall to 0:8 from 0:8 +1us\n"
                                                 " ineighbor_allgatherv to 0:8 from 0:8 -> a\n wait a\n"));
  EXPECT_TRUE(not_judged(p, star(2)).empty());
}

// ---- As recorded

constexpr char kExchange[] =
    "  inner recv {0} tag 3 8B -> r\n  inner send {0} tag 3 8B -> s\n  inner done r\n  inner done s\n";

TEST(Neighbours, WhatWasRecordedInsideStandsForThemAlsoWhereARankHasNone) {
  const std::string after = " barrier\n";
  const std::string text = one_rank_per_node(
      3, "rank 0\n neighbor_alltoall to 1:8 from 1:8 +90us\n" + fmt::format(fmt::runtime(kExchange), 1) + after +
             "rank 1\n neighbor_alltoall to 0:8 from 0:8 +90us\n" + fmt::format(fmt::runtime(kExchange), 0) + after +
             "rank 2\n neighbor_alltoall to none from none\n" + after);
  const ReplayResult r = run(program_of(text), star(3), Mode::kAnchored, Form::kAsRun);
  EXPECT_TRUE(r.inner_faults.empty());
  EXPECT_EQ(r.by_inner, (std::vector<std::vector<std::uint32_t>>{{0}, {0}, {}}));
  EXPECT_EQ(r.messages, 2U + 6U);  // and those of the barrier
}

TEST(Neighbours, ARankWithNeighboursButWithoutMessagesLeavesTheCallToTheModel) {
  const std::string text = one_rank_per_node(2, "rank 0\n neighbor_alltoall to none from none +90us\n" +
                                                    fmt::format(fmt::runtime(kExchange), 0) +
                                                    "rank 1\n neighbor_alltoall to 1:8 from 1:8 +90us\n");
  const ReplayResult r = run(program_of(text), star(2), Mode::kAnchored, Form::kAsRun);
  ASSERT_EQ(r.inner_faults.size(), 1U);
  EXPECT_EQ(r.inner_faults[0].reason, "a rank of the call has no messages inside");
}

// ---- The order of posts

std::string posts_of(std::string_view library, Neighbourhood call) {
  const std::vector<Neighbour> to = {{1, 0, 8}, {2, 0, 8}}, from = {{3, 0, 8}, {4, 0, 8}};
  collectives::schedules::Round round;
  collectives::post_all({to, from, collectives::post_order(library, call)}, round);
  std::string text;
  for (const collectives::schedules::Transfer& transfer : round.posted)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", transfer.send ? ">" : "<", transfer.peer);
  return text;
}

TEST(Neighbours, ArePostedInTheOrderOfTheLibrary) {
  EXPECT_EQ(posts_of("openmpi", Neighbourhood::kAlltoall), "<3 <4 >1 >2");
  EXPECT_EQ(posts_of("openmpi", Neighbourhood::kAllgather), "<3 <4 >1 >2");
  EXPECT_EQ(posts_of("mpich", Neighbourhood::kAllgather), ">1 >2 <3 <4");
  EXPECT_EQ(posts_of("mpich", Neighbourhood::kAlltoall), ">1 >2 <4 <3");
  EXPECT_EQ(posts_of("mpich", Neighbourhood::kAlltoallv), ">1 >2 <3 <4");
  EXPECT_EQ(posts_of("", Neighbourhood::kAlltoallw), "<3 <4 >1 >2");
}

}  // namespace
}  // namespace plumbline::replay::test
