#include "tracer/record/clocks/clock.hpp"

#include <gtest/gtest.h>

namespace plumbline::record {
namespace {

constexpr std::uint64_t kReal = 1'700'000'000'000'000'000;
const ClockId kNode{"node", PL_CLOCK_TSC};

TEST(Clocks, TicksAreScaledByTheReadingsFarthestApart) {
  Clocks clocks;  // 2 ticks per ns
  const pl_clock_reading readings[] = {
      {1'000, 50, kReal}, {3'000, 1'060, kReal + 1'000}, {21'000, 10'050, kReal + 10'000}};
  clocks.add(kNode, readings);
  clocks.fit();
  EXPECT_EQ(clocks.time(kNode, 1'000), Time{0});
  EXPECT_EQ(clocks.time(kNode, 3'000), Time{1'000'000});
  EXPECT_EQ(clocks.time(kNode, 3'001), Time{1'000'500});
  EXPECT_EQ(clocks.linear(kNode).duration(60), nanoseconds(30));
}

TEST(Clocks, ProcessesOfANodeShareOneMappingSoThatOrderIsKept) {
  Clocks together;
  const pl_clock_reading a[] = {{1'000, 0, kReal}, {2'000, 1'003, kReal + 1'003}};
  const pl_clock_reading b[] = {{1'500, 480, kReal + 480}, {5'000, 4'000, kReal + 4'000}};
  together.add(kNode, a);
  together.add(kNode, b);
  together.fit();
  EXPECT_EQ(together.time(kNode, 5'000), Time{4'000'000});
  for (std::uint64_t ticks = 1'000; ticks < 5'000; ++ticks)
    ASSERT_LT(together.time(kNode, ticks), together.time(kNode, ticks + 1));
}

TEST(Clocks, NodesAreLinedUpByRealTime) {
  const ClockId other{"other", PL_CLOCK_MONOTONIC_NS};
  const pl_clock_reading here[] = {{1'000, 1'000, kReal}, {2'000, 2'000, kReal + 1'000}};
  const pl_clock_reading there[] = {{700'000, 700'000, kReal + 400}, {701'000, 701'000, kReal + 1'400}};
  Clocks clocks;
  clocks.add(kNode, here);
  clocks.add(other, there);
  clocks.fit();
  EXPECT_EQ(clocks.time(other, 700'000) - clocks.time(kNode, 1'000), nanoseconds(400));
  const std::pair<ClockId, std::uint64_t> beginnings[] = {{other, 700'100}, {kNode, 1'300}};
  clocks.set_zero(beginnings);
  EXPECT_EQ(clocks.time(kNode, 1'300), Time{0});
  EXPECT_EQ(clocks.time(other, 700'100), Time{200'000});
  EXPECT_EQ(clocks.zero_realtime_ns(), kReal + 300);
}

TEST(Clocks, ThoseOfTimeNamespacesOfOneKernelAreDifferentClocks) {
  const ClockId shifted{"node", PL_CLOCK_TSC, 5'000};  // the counter is the same, what the kernel makes of it is not
  const pl_clock_reading here[] = {{1'000, 1'000, kReal}, {2'000, 2'000, kReal + 1'000}};
  const pl_clock_reading there[] = {{1'500, 6'500, kReal + 500}, {2'500, 7'500, kReal + 1'500}};
  Clocks clocks;
  clocks.add(kNode, here);
  clocks.add(shifted, there);
  clocks.fit();
  EXPECT_EQ(clocks.common().nodes(), 2U);
  for (const ClockId& id : {kNode, shifted}) EXPECT_EQ(clocks.time(id, 2'000), Time{1'000'000});
}

TEST(Clocks, ExchangesWinOverRealTime) {
  const ClockId other{"other", PL_CLOCK_MONOTONIC_NS};
  const pl_clock_reading here[] = {{1'000, 1'000, kReal}, {2'001'000, 2'001'000, kReal + 2'000'000}};
  const pl_clock_reading there[] = {{500, 500, kReal + 9'000'000}, {2'000'500, 2'000'500, kReal + 11'000'000}};
  Clocks clocks;
  clocks.add(kNode, here);
  clocks.add(other, there);
  clocks.add({{"other"},
              {"node"},
              "n1",
              "n0",
              {{{600, 7'600, 7'600, 600}}, {{2'000'400, 2'007'400, 2'007'400, 2'000'400}}},
              2});
  clocks.fit();
  EXPECT_NEAR(static_cast<double>((clocks.time(other, 500) - clocks.time(kNode, 7'500)).ps), 0, 2'000);
  EXPECT_NEAR(static_cast<double>((clocks.time(other, 2'000'500) - clocks.time(kNode, 2'007'500)).ps), 0, 2'000);
  EXPECT_EQ(clocks.alignment(other).method, Alignment::Method::kExchanges);
  EXPECT_LE(*clocks.alignment(other).uncertainty_ns, 10);
}

TEST(Clocks, ReadingsThatLeaveTheStraightLineWidenTheBound) {
  const pl_clock_reading bent[] = {
      {1'000, 1'000, kReal}, {51'000, 51'400, kReal + 50'000}, {101'000, 101'000, kReal + 100'000}};
  Clocks clocks;
  clocks.add(kNode, bent);
  clocks.fit();
  EXPECT_NEAR(*clocks.alignment(kNode).uncertainty_ns, 400, 1);
}

TEST(Clocks, TicksAtIsTheInverse) {
  const LinearClock linear{1'000, 5'000'000, {1'000, 3}};
  for (const std::uint64_t ticks : {0ULL, 999ULL, 1'000ULL, 123'457ULL})
    EXPECT_EQ(linear.ticks_at(linear.ps(ticks) + 333), ticks);
}

TEST(Clocks, DamagedStampsAreLimitedAndNeverOverflow) {
  Clocks clocks;
  const pl_clock_reading readings[] = {{1, 1, kReal}, {~0ULL, ~0ULL, ~0ULL}};
  clocks.add(kNode, readings);
  clocks.fit();
  EXPECT_GE(clocks.time(kNode, ~0ULL), clocks.time(kNode, 0));
  EXPECT_GE(clocks.linear(kNode).duration(~0ULL), Duration{0});
}

TEST(Clocks, WithoutReadingsATickIsANanosecond) {
  Clocks clocks;
  clocks.add(kNode, {});
  clocks.fit();
  EXPECT_EQ(clocks.time(kNode, 7), Time{7'000});
  EXPECT_EQ(clocks.zero_realtime_ns(), 0U);
}

}  // namespace
}  // namespace plumbline::record
