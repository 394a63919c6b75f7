#include "base/quantity.hpp"
#include "tests/support/seed.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace plumbline {
namespace {

TEST(Quantity, DurationsAreReadInAllTheirUnits) {
  EXPECT_EQ(parse_duration("19.98us"), picoseconds(19'980'000));
  EXPECT_EQ(parse_duration("19.98 us"), picoseconds(19'980'000));
  EXPECT_EQ(parse_duration("3ps"), picoseconds(3));
  EXPECT_EQ(parse_duration("0.5ns"), picoseconds(500));
  EXPECT_EQ(parse_duration("7µs"), microseconds(7));
  EXPECT_EQ(parse_duration("1.5ms"), microseconds(1'500));
  EXPECT_EQ(parse_duration("2s"), seconds(2));
  EXPECT_EQ(parse_duration("2min"), seconds(120));
  EXPECT_EQ(parse_duration("1h"), seconds(3'600));
  EXPECT_EQ(parse_duration("100d"), seconds(8'640'000));
  EXPECT_EQ(parse_duration("0"), Duration{});
}

TEST(Quantity, BytesAreReadInDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_bytes("64KiB"), Bytes{65'536});
  EXPECT_EQ(parse_bytes("64kB"), Bytes{64'000});
  EXPECT_EQ(parse_bytes("1.5MiB"), Bytes{1'572'864});
  EXPECT_EQ(parse_bytes("2TB"), Bytes{2'000'000'000'000});
  EXPECT_EQ(parse_bytes("1 TiB"), Bytes{1ULL << 40});
  EXPECT_EQ(parse_bytes("18446744073709551615B"), Bytes{std::numeric_limits<std::uint64_t>::max()});
}

TEST(Quantity, RatesAreReadInBytesAndBits) {
  EXPECT_EQ(parse_rate("117MB/s"), BytesPerSecond{117'000'000});
  EXPECT_EQ(parse_rate("71.9MiB/s"), BytesPerSecond{75'392'614});  // 75,392,614.4
  EXPECT_EQ(parse_rate("1Gbit/s"), BytesPerSecond{125'000'000});
  EXPECT_EQ(parse_rate("12bit/s"), BytesPerSecond{2});  // 1.5, to the nearest
  EXPECT_EQ(parse_rate("75392614B/s"), BytesPerSecond{75'392'614});
}

TEST(Quantity, FractionsAreReadInPercent) {
  EXPECT_EQ(parse_fraction("3.5%"), 0.035);
  EXPECT_EQ(parse_fraction("12 %"), 0.12);
  EXPECT_EQ(parse_fraction("0"), 0.0);
}

TEST(Quantity, WhatHasNoUnitOrIsNegativeOrTooLargeIsRefused) {
  for (const char* text : {"", "12", "us", "-3us", "1e3us", "1.2.3us", "5.us", "3 parsecs", "us3", "3usx", ".", "+1s",
                           "107d", "99999999999999999999s", "0.0000000000000000001s", "1MB"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  for (const char* text : {"1k", "1K", "1KB", "1kib", "12", "-1B", "1MB/s", "18446744073709551616B", "17000000TiB"})
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  for (const char* text : {"117MB", "117", "117/s", "117 /s", "/s", "0/s", "-1B/s", "1MBit/s", "1B/h"})
    EXPECT_EQ(parse_rate(text), std::nullopt) << text;
  for (const char* text : {"3.5", "-1%", "%", ".%", "1e2%", "nan%", "inf%", "1.%", "1 2%"})
    EXPECT_EQ(parse_fraction(text), std::nullopt) << text;
}

TEST(Quantity, FormattingKeepsThreeToFourDigits) {
  EXPECT_EQ(format(picoseconds(19'982'000)), "19.98 us");
  EXPECT_EQ(format(seconds(1)), "1 s");
  EXPECT_EQ(format(milliseconds(1'234)), "1.234 s");
  EXPECT_EQ(format(seconds(12'345)), "12345 s");
  EXPECT_EQ(format(picoseconds(1)), "1 ps");
  EXPECT_EQ(format(picoseconds(-1'500)), "-1.5 ns");
  EXPECT_EQ(format(Duration{}), "0 s");
  EXPECT_EQ(format(Bytes{65'536}), "64 KiB");
  EXPECT_EQ(format(Bytes{102'400}), "100 KiB");
  EXPECT_EQ(format(Bytes{1'234'567}), "1.235 MB");
  EXPECT_EQ(format(Bytes{1'000}), "1 kB");
  EXPECT_EQ(format(Bytes{999}), "999 B");
  EXPECT_EQ(format(Bytes{0}), "0 B");
  EXPECT_EQ(format(BytesPerSecond{117'000'000}), "117 MB/s");
  EXPECT_EQ(format(BytesPerSecond{75'392'614}), "75.39 MB/s");
  EXPECT_EQ(format_percent(0.0351), "3.5 %");
  EXPECT_EQ(format_percent(1.5), "150 %");
}

TEST(Quantity, ExactFormsAreShort) {
  EXPECT_EQ(format_exact(picoseconds(19'982'000)), "19.982us");
  EXPECT_EQ(format_exact(Duration{}), "0s");
  EXPECT_EQ(format_exact(picoseconds(1'000'000'000'001)), "1.000000000001s");
  EXPECT_EQ(format_exact(Bytes{102'400}), "100KiB");
  EXPECT_EQ(format_exact(Bytes{40}), "40B");
  EXPECT_EQ(format_exact(BytesPerSecond{48'000'000'000}), "48GB/s");
  EXPECT_EQ(format_exact(BytesPerSecond{75'392'614}), "75392614B/s");
  EXPECT_EQ(format_exact_fraction(0.035), "3.5%");
  EXPECT_EQ(format_exact_fraction(0.0), "0%");
  EXPECT_EQ(format_exact_fraction(2.0), "200%");
  EXPECT_EQ(format_exact_fraction(0.00012), "0.012%");
}

// Numbers of all magnitudes: a random width, then random bits.
std::uint64_t any_magnitude(std::mt19937_64& random, unsigned bits) {
  const std::uint64_t value = random();
  return value >> (64 - (1 + random() % bits));
}

TEST(Quantity, ExactFormsAreReadBackUnchanged) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const Duration duration{static_cast<std::int64_t>(any_magnitude(random, 63))};
    EXPECT_EQ(parse_duration(format_exact(duration)), duration) << duration.ps;
    const Bytes bytes{any_magnitude(random, 64)};
    EXPECT_EQ(parse_bytes(format_exact(bytes)), bytes) << bytes.count;
    const BytesPerSecond rate{any_magnitude(random, 64)};
    EXPECT_EQ(parse_rate(format_exact(rate)), rate) << rate.count;
    const double fraction = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 180);
    EXPECT_EQ(parse_fraction(format_exact_fraction(fraction)), fraction) << fraction;
  }
}

TEST(Quantity, ShortFormsAreReadBackWithinFourDigits) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t value = any_magnitude(random, 62);
    const std::optional<Bytes> bytes = parse_bytes(format(Bytes{value}));
    ASSERT_TRUE(bytes.has_value()) << value;
    EXPECT_NEAR(static_cast<double>(bytes->count), static_cast<double>(value), 5e-4 * static_cast<double>(value));
  }
}

TEST(Quantity, RandomTextNeverDoesHarm) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const std::string letters = "0123456789..kMGTiBbtmunps/% -e\xc2\xb5";
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    parse_duration(text);
    parse_bytes(text);
    parse_rate(text);
    parse_fraction(text);
  }
}

}  // namespace
}  // namespace plumbline
