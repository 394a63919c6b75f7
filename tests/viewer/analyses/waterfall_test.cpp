#include "viewer/index/aggregates/waterfall.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/pyramid/overlap.hpp"
#include "worlds.hpp"

namespace plumbline::viewer {
namespace {

std::vector<std::uint32_t> all_ranks(const Runs& runs) {
  std::vector<std::uint32_t> ranks(runs.observed.ranks());
  std::iota(ranks.begin(), ranks.end(), 0U);
  return ranks;
}

TimeRange whole(const Runs& runs) {
  const Span span = span_of(runs.observed);
  return {span.begin, span.begin + span.length};
}

class WaterfallTest : public testing::Test {
 protected:
  // A write of 10 us: 2 us in the free run, 4 us anchored, 6 us as it was run.
  Runs write() {
    replay::Program program = programs_.parse(R"(ranks 1
rank 0
  @0us comm_create MPI_Comm_dup +1us
  @5us posix_write 8B file /out +10us off-cpu 3us
  @20us send none tag 0 0B +2us
)");
    replay::Expected expected = replay::as_observed(program);
    expect(expected.ranks[0], 1, microseconds(4), microseconds(4));
    expected.ranks[0].free[1].end = expected.ranks[0].free[1].begin + microseconds(2);
    expected.ranks[0].as_run_upper[1] = microseconds(6);
    return compared(std::move(program), std::move(expected));
  }

  replay::Programs programs_;
};

TEST_F(WaterfallTest, TellsWhatAnOperationIsMadeOf) {
  const Runs runs = write();
  const TimeParts time = time_parts_of(runs, whole(runs), all_ranks(runs));
  EXPECT_EQ(time.total, TimeSum(microseconds(22)));
  EXPECT_EQ(time[TimePart::kSetUp], TimeSum(microseconds(1)));
  EXPECT_EQ(time[TimePart::kOffCpu], TimeSum(microseconds(3)));
  EXPECT_EQ(time[TimePart::kCompute], TimeSum(microseconds(6)));
  EXPECT_EQ(time[TimePart::kExpected], TimeSum(microseconds(4)));
  EXPECT_EQ(time[TimePart::kInherited], TimeSum(microseconds(2)));
  EXPECT_EQ(time[TimePart::kStructure], TimeSum(microseconds(2)));
  EXPECT_EQ(time[TimePart::kStorageStack], TimeSum(microseconds(4)));
}

TEST_F(WaterfallTest, CountsOperationsThatReachBeyondTheRangeInProportion) {
  const Runs runs = write();
  const TimeParts time = time_parts_of(runs, range_of_us(10, 17), all_ranks(runs));
  EXPECT_EQ(time.total, TimeSum(microseconds(7)));
  EXPECT_EQ(time[TimePart::kExpected], TimeSum(microseconds(1)));
  EXPECT_EQ(time[TimePart::kInherited], TimeSum(microseconds(1)));
  EXPECT_EQ(time[TimePart::kStorageStack], TimeSum(microseconds(2)));
  EXPECT_EQ(time[TimePart::kCompute], TimeSum(microseconds(2)));
  EXPECT_EQ(time[TimePart::kOffCpu], TimeSum());
}

TimeSum sum_of(const TimeParts& time) {
  TimeSum sum;
  for (const TimeSum& part : time.parts) sum += part;
  return sum;
}

TEST_F(WaterfallTest, OfAnyRangeAddsUpToRanksTimesRange) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 40; ++turn) {
    const bool is_compared = turn % 4 != 0;
    const Runs runs = random_runs(
        directory / "program",
        {.ranks = 3, .operations = 200, .time_bits = turn % 2 == 0 ? 40 : 10, .is_compared = is_compared}, random);
    const TimeRange run = whole(runs);
    const std::vector<std::uint32_t> ranks = all_ranks(runs);
    std::vector<Time> cuts{run.begin, run.end};
    for (int i = 0; i < 5; ++i)
      cuts.push_back(run.begin + Duration{static_cast<std::int64_t>(
                                     random() % static_cast<std::uint64_t>((run.end - run.begin).ps + 1))});
    std::ranges::sort(cuts);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const TimeParts time = time_parts_of(runs, {cuts[i], cuts[i + 1]}, ranks);
      EXPECT_EQ(time.total, TimeSum(cuts[i + 1] - cuts[i]) * 3);
      EXPECT_EQ(sum_of(time), time.total);
    }
    EXPECT_EQ(sum_of(time_parts_of(runs, run, ranks)), TimeSum(run.end - run.begin) * 3);
  }
}

// In the what-if run the write takes 3 us, of which the free run explains 2, and the message 1 us less than there.
TEST_F(WaterfallTest, OfAWhatIfRunTellsWhatIsBeyondTheExpectation) {
  const Runs runs = write();
  const replay::OperationTimes times[] = {{{0}, {1'000'000}}, {{5'000'000}, {8'000'000}}, {{20'000'000}, {21'000'000}}};
  PyramidSource source;
  source.ranks.emplace_back().times = times;
  const TimeParts time = time_parts_of_whatif(runs, source, {{0}, {22'000'000}}, all_ranks(runs));
  EXPECT_EQ(time.total, TimeSum(microseconds(22)));
  EXPECT_EQ(time[TimePart::kSetUp], TimeSum(microseconds(1)));
  EXPECT_EQ(time[TimePart::kExpected], TimeSum(microseconds(4)));
  EXPECT_EQ(time[TimePart::kBeyond], TimeSum(microseconds(1)));
  EXPECT_EQ(time[TimePart::kGained], TimeSum(microseconds(-1)));
  EXPECT_EQ(time[TimePart::kCompute], TimeSum(microseconds(16)));
  EXPECT_EQ(time[TimePart::kOutside], TimeSum(microseconds(1)));
}

TEST_F(WaterfallTest, OfAnyWhatIfRunAddsUpToRanksTimesRange) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 20; ++turn) {
    const Runs runs =
        random_runs(directory / "program", {.ranks = 3, .operations = 200, .free_in_order = turn % 2 == 0}, random);
    const Pyramid pyramid = make_pyramid(runs);
    const std::int64_t length = span_of(runs.observed).length.ps;
    const auto any = [&] {
      return pyramid.sources[1].zero +
             Duration{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(length + 1))};
    };
    const auto [begin, end] = std::minmax({any(), any()});
    const TimeParts time = time_parts_of_whatif(runs, pyramid.sources[1], {begin, end}, all_ranks(runs));
    EXPECT_EQ(time.total, TimeSum(end - begin) * 3);
    EXPECT_EQ(sum_of(time), time.total);
  }
}

TEST_F(WaterfallTest, OfTheWholeRunIsWhatTheComparisonTells) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int turn = 0; turn < 20; ++turn) {
    Runs runs = random_runs(directory / "program", {.ranks = 4, .operations = 400}, random);
    for (replay::ExpectedRank& rank : runs.expected->ranks) rank.lower = rank.upper;  // no brackets
    const replay::Totals totals = replay::compare(runs.observed, *runs.expected).totals;
    const TimeParts time = time_parts_of(runs, whole(runs), all_ranks(runs));
    EXPECT_EQ(time.total, totals.rank_time());
    EXPECT_EQ(time[TimePart::kCompute], totals.compute);
    EXPECT_EQ(time[TimePart::kOffCpu], totals.off_cpu);
    EXPECT_EQ(time[TimePart::kPolling], totals.polling);
    EXPECT_EQ(time[TimePart::kOutside], totals.outside);
    EXPECT_EQ(time[TimePart::kInherited], totals.inherited);
    EXPECT_EQ(time[TimePart::kExpected], totals.judged - totals.own - totals.inherited);
    EXPECT_EQ(time[TimePart::kStructure], totals.structure);
    EXPECT_EQ(time[TimePart::kNetworkStack] + time[TimePart::kStorageStack], totals.lost_to_stack());
    EXPECT_EQ(time[TimePart::kGained], -totals.gained);
    EXPECT_EQ(time[TimePart::kNotJudged], totals.not_judged);
    EXPECT_EQ(time[TimePart::kSetUp], totals.set_up);
  }
}

TEST(ProportionalShare, GivesOutAllOfTheInsideWhateverTheParts) {
  std::mt19937_64 random = printed_random();
  for (int turn = 0; turn < 1000; ++turn) {
    Duration parts[4], whole, sum;
    for (Duration& part : parts) {
      part = Duration{static_cast<std::int64_t>(random() % 2'000'000'000'000) - 700'000'000'000};
      whole += part;
    }
    if (whole <= Duration{}) continue;
    const Duration inside{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole.ps + 1))};
    ProportionalShare share(inside, whole);
    for (const Duration part : parts) {
      const Duration given = share.of(part);
      const double exact =
          static_cast<double>(part.ps) * static_cast<double>(inside.ps) / static_cast<double>(whole.ps);
      EXPECT_NEAR(static_cast<double>(given.ps), exact, 1.01 + std::abs(exact) * 1e-12);
      sum += given;
    }
    EXPECT_EQ(sum, inside);
  }
}

}  // namespace
}  // namespace plumbline::viewer
