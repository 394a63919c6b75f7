#include "base/units.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/error.hpp"

namespace plumbline {
namespace {

TEST(Units, TransferTimeIsRoundedUpToTheNextPicosecond) {
  EXPECT_EQ(transfer_time(Bytes{1}, BytesPerSecond{1'000'000'000'000}), picoseconds(1));
  EXPECT_EQ(transfer_time(Bytes{1}, BytesPerSecond{3'000'000'000'000}), picoseconds(1));
  EXPECT_EQ(transfer_time(Bytes{1}, BytesPerSecond{3}), picoseconds(333'333'333'334));
  EXPECT_EQ(transfer_time(Bytes{117'000'000}, BytesPerSecond{117'000'000}), seconds(1));
  EXPECT_EQ(transfer_time(Bytes{0}, BytesPerSecond{1}), Duration{});
}

TEST(Units, TransferTimeOfLargeAmountsDoesNotOverflow) {
  EXPECT_EQ(transfer_time(Bytes{1ULL << 60}, BytesPerSecond{1ULL << 40}), seconds(1LL << 20));
}

TEST(UnitsDeathTest, AZeroRateIsAFaultOfOurs) {
  EXPECT_DEATH(transfer_time(Bytes{1}, BytesPerSecond{0}), "a transfer needs a rate");
}

TEST(Units, ATimeBeyondTheAxisIsAnErrorAndDoesNotWrap) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(transfer_time(Bytes{1ULL << 60}, BytesPerSecond{1}), Error);
  EXPECT_EQ(Time{kMost - 1} + picoseconds(1), Time{kMost});
  EXPECT_THROW(Time{kMost} + picoseconds(1), Error);
  EXPECT_THROW(Time{-kMost} - seconds(1), Error);
  EXPECT_THROW(Time{kMost} - Time{-1}, Error);
  EXPECT_THROW(picoseconds(kMost) + picoseconds(1), Error);
  EXPECT_THROW(picoseconds(-kMost) - picoseconds(2), Error);
  EXPECT_THROW(seconds(9'000'000) * 2, Error);
  Time time{kMost};
  EXPECT_THROW(time += picoseconds(1), Error);
  Duration duration{kMost};
  EXPECT_THROW(duration += picoseconds(1), Error);
  EXPECT_EQ(duration, picoseconds(kMost));
}

TEST(Units, AnOverflowNamesTheRankAndTheOperationInHand) {
  const CheckContext before = check_context;
  check_context = {0, 3, 17};
  try {
    transfer_time(Bytes{1ULL << 60}, BytesPerSecond{1});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().at(0).where, "rank 3, operation 17");
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
  }
  check_context = before;
}

TEST(Units, TimesAndDurationsAddUp) {
  EXPECT_EQ(Time{} + seconds(1) - milliseconds(1), Time{999'000'000'000});
  EXPECT_EQ(Time{5} - Time{7}, picoseconds(-2));
  EXPECT_EQ(microseconds(2) * 3, nanoseconds(6'000));
  EXPECT_EQ(duration_from_seconds(1.5e-9), picoseconds(1'500));
  EXPECT_EQ(duration_from_seconds(-1.5e-9), picoseconds(-1'500));
}

}  // namespace
}  // namespace plumbline
