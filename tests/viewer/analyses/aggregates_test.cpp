#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/aggregates/efficiency.hpp"
#include "viewer/index/aggregates/histogram.hpp"
#include "viewer/index/aggregates/instances.hpp"
#include "viewer/index/aggregates/matrix.hpp"
#include "viewer/index/aggregates/messages.hpp"
#include "viewer/index/aggregates/profile.hpp"
#include "viewer/index/aggregates/ranking.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/parts.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {

static bool operator==(const MatrixCell& a, const MatrixCell& b) {
  return a.from == b.from && a.to == b.to && a.value == b.value;
}

namespace {

using testing::DoubleEq;
using testing::ElementsAre;

constexpr std::uint32_t kBoth[] = {0, 1};

class AggregatesTest : public testing::Test {
 protected:
  Runs exchange() {
    replay::Program program = programs_.parse(R"program(ranks 2
node n0 ranks 0
node n1 ranks 1
rank 0
  @0us send 1 tag 1 100B +4us site "a (a.c:1)"
  @10us send 1 tag 1 50B +2us site "b (b.c:2)"
  @20us barrier +10us
rank 1
  @2us irecv 0 tag 1 100B -> x ; wait x +3us
  @9us recv 0 tag 1 50B +3us
  @28us barrier +2us
)program");
    replay::Expected expected = replay::as_observed(program);
    expect(expected.ranks[0], 0, microseconds(1), microseconds(1));
    expect(expected.ranks[1], 1, microseconds(1), microseconds(1));
    return compared(std::move(program), std::move(expected));
  }

  replay::Programs programs_;
};

TEST_F(AggregatesTest, ProfileSumsWhatLiesInTheRangeByCallAndSite) {
  const Runs runs = exchange();
  const std::vector<ProfileRow> rows = profile_of(runs, range_of_us(2, 12), kBoth);
  ASSERT_EQ(rows.size(), 5U);
  const auto send =
      std::ranges::find_if(rows, [&](const ProfileRow& row) { return runs.observed.site(row.site) == "a (a.c:1)"; });
  EXPECT_EQ(send->count, 1U);
  EXPECT_EQ(send->bytes, 100U);
  EXPECT_EQ(send->observed, TimeSum(microseconds(2)));  // half of it
  EXPECT_EQ(send->expected + send->own + send->inherited, send->observed);
  EXPECT_EQ(send->kind, CallKind::kPointToPoint);
}

TEST_F(AggregatesTest, MatrixTellsWhoSentHowMuchToWhom) {
  const Runs runs = exchange();
  const Matches matches = match_operations(runs.observed);
  const Matrix bytes = matrix_of(runs, matches, range_of_us(0, 100), MatrixBy::kRank, MatrixOf::kBytes);
  EXPECT_THAT(bytes.names, ElementsAre("0", "1"));
  EXPECT_THAT(bytes.cells, ElementsAre(MatrixCell{0, 1, 150}));
  EXPECT_THAT(matrix_of(runs, matches, range_of_us(5, 100), MatrixBy::kNode, MatrixOf::kCount).cells,
              ElementsAre(MatrixCell{0, 1, 1}));
  // 3 us of the send, and 2 us of the wait for it.
  EXPECT_THAT(matrix_of(runs, matches, range_of_us(0, 100), MatrixBy::kRank, MatrixOf::kOwn).cells,
              ElementsAre(MatrixCell{0, 1, microseconds(5).ps}));
}

TEST_F(AggregatesTest, MatrixOfManyRanksJoinsNeighbours) {
  std::string text = "ranks 600\n";
  for (int rank = 0; rank < 600; ++rank)
    text += "rank " + std::to_string(rank) + "\n  send " + std::to_string((rank + 1) % 600) + " tag 1 10B\n";
  const Runs runs = alone(programs_.parse(text));
  const Matrix matrix = matrix_of(runs, match_operations(runs.observed), {{}, {1}}, MatrixBy::kRank, MatrixOf::kBytes);
  EXPECT_EQ(matrix.names.size(), 200U);
  EXPECT_EQ(matrix.names[1], "3-5");
  TimeSum::Picoseconds sum = 0;
  for (const MatrixCell& cell : matrix.cells) sum += cell.value;
  EXPECT_EQ(sum, 6000);
  EXPECT_EQ(matrix.cells[0], (MatrixCell{0, 0, 20}));
}

TEST_F(AggregatesTest, HistogramCountsEveryOperationOnceInTheBinThatHoldsIt) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {.ranks = 3, .operations = 2000}, random);
  const OperationsAlike writes(runs, "write", std::nullopt);
  const Histogram histogram = histogram_of(runs, writes);
  ASSERT_LE(histogram.observed.size(), kMostBins);
  ASSERT_EQ(histogram.bounds.size(), histogram.observed.size() + 1);
  std::vector<std::uint64_t> observed(histogram.observed.size()), expected(histogram.observed.size());
  const auto count = [&](std::vector<std::uint64_t>& bins, Duration duration) {
    ++bins[static_cast<std::size_t>(std::ranges::upper_bound(histogram.bounds, duration) - histogram.bounds.begin() -
                                    1)];
  };
  for (std::uint32_t rank = 0; rank < 3; ++rank)
    for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i) {
      if (!writes.contains(rank, i)) continue;
      const Parts parts = parts_of(runs, rank, i);
      count(observed, parts.observed);
      if (parts.judged) count(expected, parts.upper);
    }
  EXPECT_EQ(histogram.observed, observed);
  EXPECT_EQ(histogram.expected, expected);
  EXPECT_EQ(percentile_of(histogram, histogram.bounds.back()), 100.0);
}

TEST_F(AggregatesTest, RowsHoldTheOperationsThatTheComparisonCounted) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  Runs runs = random_runs(directory / "program", {.ranks = 3, .operations = 500}, random);
  runs.comparison = replay::compare(runs.observed, *runs.expected);
  for (std::size_t row = 0; row < runs.comparison->rows.size(); ++row) {
    const OperationsAlike alike(runs, row);
    std::uint64_t operations = 0;
    for (std::uint32_t rank = 0; rank < 3; ++rank)
      for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i)
        operations += alike.contains(rank, i) ? 1 : 0;
    EXPECT_EQ(operations, runs.comparison->rows[row].operations);
  }
}

TEST_F(AggregatesTest, InstancesStandBesideEachOtherByNumberAndRank) {
  const Runs runs = exchange();
  const Instances sends = instances_of(runs, {runs, "MPI_Send", std::nullopt}, 0);
  EXPECT_EQ(sends.instances, 2U);
  EXPECT_THAT(sends.ranks, ElementsAre(0));
  EXPECT_THAT(sends.own, ElementsAre(log_of(microseconds(3)), log_of(Duration{})));
  const Instances barriers = instances_of(runs, {runs, "MPI_Barrier", ""}, 0);
  EXPECT_THAT(barriers.ranks, ElementsAre(0, 1));
  EXPECT_EQ(instances_of(runs, {runs, "MPI_Send", std::nullopt}, 1).own.size(), 1U);
  EXPECT_EQ(instances_of(runs, {runs, "MPI_Send", std::nullopt}, 7).rows, 0U);
}

TEST_F(AggregatesTest, EfficienciesMultiplyToTheShareOfTimeThatIsComputed) {
  // In [0, 10): rank 0 computes 8 us, rank 1 4 us and waits 4 us for the last to arrive; 2 us are transfer.
  const Runs runs = alone(programs_.parse(R"program(ranks 2
rank 0
  @0us local MPI_Init ; @8us barrier +2us ; local MPI_Finalize
rank 1
  @0us local MPI_Init ; @4us barrier +6us ; local MPI_Finalize
)program"));
  const Efficiency one = efficiency_of(runs, match_operations(runs.observed), range_of_us(0, 10), 1);
  EXPECT_THAT(one.load_balance, ElementsAre(DoubleEq(0.75)));
  EXPECT_THAT(one.serialisation, ElementsAre(DoubleEq(1.0)));
  EXPECT_THAT(one.transfer, ElementsAre(DoubleEq(0.8)));
  const Efficiency two = efficiency_of(runs, match_operations(runs.observed), range_of_us(0, 10), 2);
  EXPECT_THAT(two.load_balance, ElementsAre(DoubleEq(0.9), DoubleEq(0.5)));
  EXPECT_THAT(two.transfer, ElementsAre(DoubleEq(1.0), DoubleEq(0.6)));
}

TEST_F(AggregatesTest, MessagesEndWhereTheirReceiveIsComplete) {
  const Runs runs = exchange();
  const Matches matches = match_operations(runs.observed);
  const Messages all = messages_of(runs, matches, range_of_us(0, 100), kBoth, 100);
  ASSERT_EQ(all.messages.size(), 2U);
  EXPECT_EQ(all.messages[0].to, (OperationId{1, 0}));
  EXPECT_EQ(all.messages[0].received, Time{microseconds(5).ps});  // end of the wait
  EXPECT_EQ(all.messages[1].bytes, 50U);
  constexpr std::uint32_t kReceiver[] = {1};
  EXPECT_EQ(messages_of(runs, matches, range_of_us(0, 100), kReceiver, 100).total, 2U);
  EXPECT_EQ(messages_of(runs, matches, range_of_us(9, 100), kReceiver, 100).total, 1U);
  const Messages bundled = messages_of(runs, matches, range_of_us(0, 100), kBoth, 1);
  EXPECT_TRUE(bundled.messages.empty());
  ASSERT_EQ(bundled.bundles.size(), 1U);
  EXPECT_EQ(bundled.bundles[0].count, 2U);
  EXPECT_EQ(bundled.bundles[0].bytes, 150U);
}

TEST_F(AggregatesTest, PagesOfARankingAreWhatSortingEverythingGives) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  const Runs runs = random_runs(directory / "program", {.ranks = 3, .operations = 1500}, random);
  const Span span = span_of(runs.observed);
  const TimeRange range{span.begin + Duration{span.length.ps / 4}, span.begin + Duration{span.length.ps / 2}};
  const std::uint32_t ranks[] = {0, 1, 2};
  std::vector<std::pair<std::int64_t, OperationId>> truth;
  for (const std::uint32_t rank : ranks)
    for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i) {
      const replay::OperationTimes& t = runs.observed.rank(rank).times[i];
      const bool is_point = t.begin == t.end && t.begin >= range.begin && t.begin < range.end;
      if (is_point || (t.end > range.begin && t.begin < range.end && t.end > t.begin))
        truth.push_back({-parts_of(runs, rank, i).own.ps, {rank, i}});
    }
  std::ranges::sort(truth);
  const Selection everything(runs, "");
  for (std::size_t first = 0; first < truth.size(); first += 70) {
    const RankedPage page = ranked(runs, everything, range, ranks, SortBy::kOwn, first, 70);
    EXPECT_EQ(page.total, truth.size());
    ASSERT_EQ(page.operations.size(), std::min<std::size_t>(70, truth.size() - first));
    for (std::size_t i = 0; i < page.operations.size(); ++i) EXPECT_EQ(page.operations[i], truth[first + i].second);
  }
}

}  // namespace
}  // namespace plumbline::viewer
