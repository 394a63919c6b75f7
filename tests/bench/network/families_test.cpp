// The families of the network inside of MPI jobs, on both MPIs: what their cells are called and hold. No times are
// asserted, but that waiting is waiting.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/bench/ranks_run.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using Ranks = std::vector<std::uint32_t>;

int cpus_of_this_process() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

std::string part_of(const Cell& cell) {
  const auto found = cell.words.find("part");
  return found == cell.words.end() ? "" : found->second;
}

// Part -> size -> whether most sends of that size waited.
using Waited = std::map<std::string, std::map<std::uint64_t, bool>>;

class NetworkFamilies : public testing::TestWithParam<const char*> {
 protected:
  // The cells of one request, on ranks of this machine.
  Campaign measured(const Request& request, int ranks = 2, const std::string& way = "") {
    const test::TemporaryDirectory directory;
    const test::RanksRun run =
        test::run_ranks({GetParam(), ranks}, fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_LIB, GetParam()),
                        {5, {request}}, directory.path(), way);
    EXPECT_EQ(run.result.status, 0) << run.result.out << run.result.err;
    EXPECT_EQ(run.done.size(), 1U);
    const Campaign& campaign = run.campaign;
    for (const std::string& note : campaign.notes) fmt::print("note: {}\n", note);
    return campaign;
  }

  static Request few(std::string operation, std::vector<std::uint64_t> sizes) {
    Request request;
    request.operation = std::move(operation);
    request.sizes = std::move(sizes);
    request.effort.warm_up = 1;
    request.effort.least = 5;
    request.effort.most = 6;
    request.effort.budget_s = 2;
    return request;
  }

  static void expect_whole(const Cell& cell, std::size_t least = 5) {
    EXPECT_GE(cell.seconds.size(), least);
    EXPECT_EQ(cell.flags.size(), cell.seconds.size());
    EXPECT_TRUE(std::ranges::all_of(cell.seconds, [](double each) { return each > 0; }));
    EXPECT_EQ(cell.implementation, "library");
    EXPECT_EQ(cell.timing, "own");
  }

  static double least_of(const Cell& cell) { return *std::ranges::min_element(cell.seconds); }

  static Waited waited_in(const Campaign& campaign) {
    Waited waited;
    for (const Cell& cell : campaign.cells) {
      expect_whole(cell, 7);
      EXPECT_EQ(cell.ranks, (Ranks{0, 1}));
      EXPECT_GE(cell.numbers.at("late_ns"), 200e3);
      std::vector<double> seconds = cell.seconds;
      std::ranges::nth_element(seconds, seconds.begin() + 3);
      waited[part_of(cell)][cell.bytes] = seconds[3] >= cell.numbers.at("late_ns") / 2 * 1e-9;
    }
    return waited;
  }
};

TEST_P(NetworkFamilies, PrttHasFourPartsOfEachSizeOfThePair) {
  Request request = few("prtt", {1, 1024, 4096});
  request.numbers = {{"messages", 4}, {"resolution", 0}};
  const Campaign campaign = measured(request);
  std::multiset<std::pair<std::uint64_t, std::string>> seen;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_EQ(cell.ranks, (Ranks{0, 1}));
    const std::string part = part_of(cell);
    seen.insert({cell.bytes, part});
    EXPECT_EQ(cell.numbers.at("messages"), part == "one" ? 1 : 4);
    const double delay = cell.numbers.at("delay_ns");
    EXPECT_EQ(delay > 0, part == "spaced" || part == "receives") << part;
    if (part == "spaced") {
      EXPECT_GE(least_of(cell), 3 * delay * 1e-9) << "waits three times";
    }
    if (part == "receives") {
      EXPECT_GE(least_of(cell), 0.99 * 3 * delay * 1e-9) << "from the first receive on";
    }
  }
  for (const std::uint64_t size : {1u, 1024u, 4096u})
    for (const char* part : {"one", "many", "spaced", "receives"})
      EXPECT_EQ(seen.count({size, part}), 1u) << size << part;
  EXPECT_EQ(seen.size(), 12u);
}

TEST_P(NetworkFamilies, PrttAddsSizesBetweenItsEndsWhereAskedAndNoMoreThanAllowed) {
  Request request = few("prtt", {1, 65536});
  request.adaptive = true;
  request.numbers = {{"most_sizes", 20}, {"seconds", 1}, {"messages", 3}};
  const Campaign campaign = measured(request);
  std::set<std::uint64_t> sizes;
  for (const Cell& cell : campaign.cells) sizes.insert(cell.bytes);
  for (std::uint64_t size = 1; size <= 65536; size *= 2) EXPECT_TRUE(sizes.contains(size)) << size;
  EXPECT_LE(sizes.size(), 21u) << "one more at most: the other end of the last change";
  std::map<std::string, std::set<std::uint64_t>> parts;
  for (const Cell& cell : campaign.cells) parts[part_of(cell)].insert(cell.bytes);
  for (const char* part : {"one", "many"}) EXPECT_EQ(parts[part], sizes) << part;
  for (const char* part : {"spaced", "receives"})
    for (std::uint64_t size = 1; size <= 65536; size *= 2) EXPECT_TRUE(parts[part].contains(size)) << part << size;
  for (const Cell& cell : campaign.cells) {
    if (part_of(cell) != "change") continue;
    expect_whole(cell, 8);
    EXPECT_LT(cell.numbers.at("low_bytes"), static_cast<double>(cell.bytes));
    EXPECT_GE(cell.numbers.at("low_bytes") + 256, static_cast<double>(cell.bytes));
    EXPECT_TRUE(sizes.contains(static_cast<std::uint64_t>(cell.numbers.at("low_bytes"))) && sizes.contains(cell.bytes));
  }
}

// Round trips of two ranks that share no memory take longer, and the kernel counts what they send.
TEST_P(NetworkFamilies, OfALoopbackLeaveSharedMemory) {
  Request request = few("pairs", {1});
  request.effort.least = request.effort.most = 200;
  request.effort.stop = "count";
  const Campaign through = measured(request, 2, "loopback"), memory = measured(request);
  ASSERT_EQ(through.cells.size(), 2u);
  ASSERT_EQ(memory.cells.size(), 1u);
  EXPECT_EQ(part_of(through.cells[0]), "");
  EXPECT_EQ(part_of(through.cells[1]), "waited");
  for (const Cell& cell : through.cells) EXPECT_EQ(cell.words.at(kWay), kLoopback);
  EXPECT_FALSE(memory.cells[0].words.contains(kWay));
  EXPECT_TRUE(through.notes.empty()) << "the kernel counted it";
  double quickest = least_of(memory.cells[0]);
  const auto is_slower = [&] { return least_of(through.cells[0]) > quickest; };
  // Beside other work ranks that spin may wait for a core in each of the 200 trips.
  for (int again = 0; again < 4 && !is_slower(); ++again)
    quickest = std::min(quickest, least_of(measured(request).cells[0]));
  EXPECT_TRUE(is_slower()) << least_of(through.cells[0]) << " s, by shared memory " << quickest;
}

// Ranks that wait 100 ms before they send: the wait is in no time, or the least would be so long.
TEST_P(NetworkFamilies, OfALoopbackHaveTimesWithoutTheWaitsOfTheirRanks) {
  constexpr double kWait = 100e-3;
  Request request = few("pairs", {1, 4096});
  request.numbers["wait"] = kWait;
  const Campaign campaign = measured(request, 2, "loopback");
  ASSERT_EQ(campaign.cells.size(), 4u);
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_LT(least_of(cell), kWait / 2) << part_of(cell) << " " << cell.bytes;
  }
}

// Rank 1 serves its peer for a while before it closes its connections: UCX would wait for the peer for ever.
TEST(Mpich, EndsThoughItsRanksCloseTheirConnectionsAtDifferentTimes) {
  constexpr std::string_view kFlavours[] = {PLUMBLINE_FLAVOURS};
  if (std::ranges::count(kFlavours, "mpich") == 0) GTEST_SKIP() << "there is no MPICH here";
  Request request;
  request.operation = "pairs";
  request.sizes = {1};
  request.effort.least = request.effort.most = 5;
  const test::TemporaryDirectory directory;
  const std::string program =
      fmt::format("env LD_PRELOAD={} {}/plumbline-bench-ranks-mpich", LATE_CLOSE, PLUMBLINE_LIB);
  const test::RanksRun run = test::run_ranks({"mpich", 2, 30}, program, {5, {request}}, directory.path(), "loopback");
  EXPECT_EQ(run.result.status, 0) << run.result.out << run.result.err;
  EXPECT_EQ(run.campaign.cells.size(), 2u);
}

// On one machine no message is in a frame: nothing is measured, and nothing invented.
TEST_P(NetworkFamilies, OfFramesAreSilentInsideOfANode) {
  const Campaign campaign = measured(few("frames", {1}));
  EXPECT_TRUE(campaign.cells.empty());
  EXPECT_TRUE(campaign.notes.empty());
}

TEST_P(NetworkFamilies, PairsAreMeasuredOneByOneOrSeveralAtOnce) {
  Request request = few("pairs", {1, 1024});
  request.words["pairs"] = "all";
  const int ranks = std::string(GetParam()) == "openmpi" ? 4 : 3;
  for (const bool sequential : {false, true}) {
    request.words["mode"] = sequential ? "sequential" : "rounds";
    const Campaign campaign = measured(request, ranks);
    std::multiset<std::pair<std::uint64_t, Ranks>> seen;
    for (const Cell& cell : campaign.cells) {
      expect_whole(cell);
      const std::uint32_t at_once = sequential || ranks < 4 ? 1 : 2;
      EXPECT_EQ(cell.in_flight, at_once);
      EXPECT_EQ(cell.numbers.at("in_flight"), at_once);
      seen.insert({cell.bytes, cell.ranks});
    }
    EXPECT_EQ(seen.size(), ranks == 4 ? 12u : 6u);
    EXPECT_EQ(std::set(seen.begin(), seen.end()).size(), seen.size()) << "each once";
  }
  request.words = {{"pairs", "1-0"}};
  const Campaign one = measured(request);
  ASSERT_EQ(one.cells.size(), 2u);
  EXPECT_EQ(one.cells[0].ranks, (Ranks{1, 0}));
}

// What each rank may use are the CPUs of this process.
TEST_P(NetworkFamilies, PairsOfRanksThatShareCoresAreMeasuredOneByOne) {
  if (std::string(GetParam()) == "mpich") GTEST_SKIP() << "MPICH spins: more ranks than cores take minutes";
  Request request = few("pairs", {1});
  request.words["pairs"] = "all";
  const std::uint32_t at_once = cpus_of_this_process() < 4 ? 1 : 2;
  const Campaign campaign = measured(request, 4);
  ASSERT_EQ(campaign.cells.size(), 6u);
  for (const Cell& cell : campaign.cells) EXPECT_EQ(cell.in_flight, at_once);
}

TEST_P(NetworkFamilies, PairsOfNodesAreThoseInsideWhereThereIsOneNode) {
  const Campaign campaign = measured(few("pairs", {8}));
  ASSERT_EQ(campaign.cells.size(), 1u);
  EXPECT_EQ(campaign.cells[0].ranks, (Ranks{0, 1}));
}

TEST_P(NetworkFamilies, StreamsOfTwoRanksAreAloneAndBothWays) {
  Request request = few("streams", {65536});
  request.numbers["messages"] = 8;
  const Campaign campaign = measured(request);
  std::multiset<std::pair<std::string, Ranks>> seen;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_EQ(cell.numbers.at("messages"), 8);
    EXPECT_EQ(cell.in_flight, part_of(cell) == "alone" ? 1u : 2u);
    seen.insert({part_of(cell), cell.ranks});
  }
  const std::multiset<std::pair<std::string, Ranks>> expected = {
      {"alone", {0, 1}}, {"alone", {1, 0}}, {"both", {0, 1}}, {"both", {1, 0}}};
  EXPECT_EQ(seen, expected);
}

TEST_P(NetworkFamilies, StreamsOfFourRanksHaveEveryPart) {
  if (std::string(GetParam()) == "mpich") GTEST_SKIP() << "MPICH spins: more ranks than cores take minutes";
  Request request = few("streams", {4096});
  request.numbers = {{"messages", 4}, {"seconds", 0.2}};
  const Campaign campaign = measured(request, 4);
  std::map<std::string, std::set<Ranks>> seen;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    const std::string part = part_of(cell);
    EXPECT_TRUE(seen[part].insert(cell.ranks).second || part == "against" || part == "all") << part;
    if (part != "against") continue;
    std::set<double> four(cell.ranks.begin(), cell.ranks.end());
    four.insert({cell.numbers.at("other_a"), cell.numbers.at("other_b")});
    EXPECT_EQ(four.size(), 4u);
  }
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_GE(seen["all"].size(), 8u);
  EXPECT_GE(seen["both"].size(), 3u) << "a ring";
  for (const char* part : {"against", "both"})
    for (const Ranks& ranks : seen[part]) EXPECT_TRUE(seen["alone"].contains(ranks)) << "to be held against";
  for (const Ranks& ranks : seen["across"]) EXPECT_EQ(ranks.size(), 4u) << "senders, then receivers";
  EXPECT_EQ(seen["into"], (std::set<Ranks>{{1, 2, 0}, {1, 2, 3, 0}}));
  EXPECT_EQ(seen["out_of"], (std::set<Ranks>{{0, 1, 2}, {0, 1, 2, 3}}));
}

bool is_bracketed(const std::map<std::uint64_t, bool>& waited) {
  const auto is_bracket = [](const auto& one, const auto& next) {
    return !one.second && next.second && next.first - one.first <= 256;
  };
  return !waited.empty() && waited.rbegin()->second && std::ranges::adjacent_find(waited, is_bracket) != waited.end();
}

// On a machine in use lost time slices make sends wait that do not: then another campaign may tell.
TEST_P(NetworkFamilies, ProtocolBracketsTheFirstSizeWhoseSendWaits) {
  Request request = few("protocol", {1u << 20});
  request.numbers["resolution"] = 256;
  constexpr int kTries = 3;
  std::map<std::string, bool> found;
  for (int i = 0; i < kTries && !(found["late"] && found["away"]); ++i) {
    const Waited waited = waited_in(measured(request));
    ASSERT_EQ(waited.size(), 2u);
    for (const auto& [part, sizes] : waited) found[part] = found[part] || is_bracketed(sizes);
  }
  EXPECT_TRUE(found["late"]);
  EXPECT_TRUE(found["away"]);
}

TEST_P(NetworkFamilies, ProgressHasFourPartsAndComputesAsLongAsTheTransferTakes) {
  Request request = few("progress", {1024, 1u << 20});
  request.numbers["tests"] = 8;
  const Campaign campaign = measured(request);
  std::map<std::uint64_t, std::map<std::string, const Cell*>> cells;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_EQ(cell.numbers.contains("tests"), part_of(cell) == "tested");
    cells[cell.bytes][part_of(cell)] = &cell;
  }
  ASSERT_EQ(cells.size(), 2u);
  for (const auto& [size, parts] : cells) {
    EXPECT_EQ(parts.size(), 4u);
    EXPECT_EQ(parts.at("alone")->numbers.at("compute_ns"), 0);
    EXPECT_GT(parts.at("together")->numbers.at("compute_ns"), 0);
  }
}

TEST_P(NetworkFamilies, OverheadsAreOfSendsUntilTheyWaitThenOfTheirBegin) {
  const Campaign campaign = measured(few("overheads", {1, 512, 1u << 20}));
  std::map<std::uint64_t, std::set<std::string>> parts;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    parts[cell.bytes].insert(part_of(cell));
  }
  EXPECT_EQ(parts[1], (std::set<std::string>{"receive", "send"}));
  EXPECT_EQ(parts[1u << 20], (std::set<std::string>{"isend", "receive", "rest"}));
  for (const auto& [size, own] : parts) EXPECT_EQ(own.contains("rest"), own.contains("isend")) << size;
  EXPECT_EQ(campaign.cells.size(), parts[512].size() + 5);
}

TEST_P(NetworkFamilies, OrderHasThreePartsOfAsManyRepetitions) {
  const Campaign campaign = measured(few("order", {64, 1u << 18}));
  std::map<std::uint64_t, std::map<std::string, const Cell*>> cells;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_EQ(cell.ranks, (Ranks{0, 1}));
    cells[cell.bytes][part_of(cell)] = &cell;
  }
  ASSERT_EQ(cells.size(), 2u);
  for (const auto& [size, parts] : cells) {
    ASSERT_EQ(parts.size(), 3u);
    for (const char* const part : {"alone", "apart", "inside"})
      EXPECT_EQ(parts.at(part)->seconds.size(), parts.at("alone")->seconds.size()) << part;
  }
}

TEST_P(NetworkFamilies, QueueHasThreePartsOfThreeRanksWithTheSameLateness) {
  Request request = few("queue", {1, 1u << 18});
  request.numbers = {{"a", 1}, {"b", 0}, {"c", 2}};
  const Campaign campaign = measured(request, 3);
  std::map<std::uint64_t, std::map<std::string, const Cell*>> cells;
  for (const Cell& cell : campaign.cells) {
    expect_whole(cell);
    EXPECT_EQ(cell.ranks, (Ranks{1, 0, 2}));
    cells[cell.bytes][part_of(cell)] = &cell;
  }
  ASSERT_EQ(cells.size(), 2u);
  for (const auto& [size, parts] : cells) {
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_GT(parts.at("behind")->numbers.at("late_ns"), 0);
    for (const char* const part : {"alone", "behind", "data"}) {
      EXPECT_EQ(parts.at(part)->seconds.size(), parts.at("alone")->seconds.size()) << part;
      EXPECT_EQ(parts.at(part)->numbers, parts.at("alone")->numbers) << part;
    }
    EXPECT_GE(least_of(*parts.at("data")), least_of(*parts.at("behind"))) << "it is waited for behind it";
  }
}

TEST_P(NetworkFamilies, QueueIsOfThreeNodesOrOfThreeRanksThatAreNamed) {
  const Campaign campaign = measured(few("queue", {1024}), 3);
  EXPECT_TRUE(campaign.cells.empty()) << "they are on one node";
  Request request = few("queue", {1024});
  request.numbers = {{"a", 0}, {"b", 1}, {"c", 1}};
  EXPECT_NE(measured(request, 3).notes.at(0).find("ranks 0, 1 and 1 are no three of 3 ranks"), std::string::npos);
}

TEST_P(NetworkFamilies, RefusesWhatIsNoPair) {
  Request request = few("protocol", {1024});
  request.numbers = {{"a", 0}, {"b", 7}};
  const Campaign campaign = measured(request);
  EXPECT_TRUE(campaign.cells.empty());
  ASSERT_EQ(campaign.notes.size(), 1u);
  EXPECT_NE(campaign.notes[0].find("ranks 0 and 7 are no pair of 2 ranks"), std::string::npos) << campaign.notes[0];
  request = few("pairs", {1024});
  request.words["pairs"] = "0-1,1";
  EXPECT_NE(measured(request).notes.at(0).find("'1' is no pair"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(OfBoth, NetworkFamilies, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
