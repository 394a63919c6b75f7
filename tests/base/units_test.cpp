#include "base/units.hpp"

#include <gtest/gtest.h>

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

TEST(UnitsDeathTest, AZeroRateAndATimeBeyondTheAxisAreFaultsOfOurs) {
  EXPECT_DEATH(transfer_time(Bytes{1}, BytesPerSecond{0}), "a transfer needs a rate");
  EXPECT_DEATH(transfer_time(Bytes{1ULL << 60}, BytesPerSecond{1}), "beyond 106 days");
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
