#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "random_runs.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/index/pyramid/strips.hpp"

namespace plumbline::viewer {
namespace {

TEST(Pyramid, CoversAnOperationOfNoLengthAtItsVeryEnd) {
  const test::TemporaryDirectory directory;
  replay::ProgramBuilder builder(directory / "program");
  builder.begin_rank(builder.node("n"), 1);
  const std::uint16_t call = builder.call("MPI_Comm_rank");
  builder.add({.call = call}, {{1000}, {1000 + 1024}});
  builder.add({.call = call}, {{1000 + 1024}, {1000 + 1024}});
  builder.end_rank(0);
  const Runs runs{.observed = builder.finish(), .expected = {}, .comparison = {}};
  const Pyramid pyramid = make_pyramid(runs);
  EXPECT_EQ(pyramid.base_ps, 2048U);
  EXPECT_EQ(pyramid.most_level, 2U);
  const Strip strip = strip_of(runs, pyramid, pyramid.sources[0], 0, 2, 2);
  EXPECT_EQ(strip.operations, 1U);
  EXPECT_EQ(strip.planes.kind[0], static_cast<std::uint8_t>(CallKind::kOther));
  EXPECT_EQ(strip.planes.busy[0], 0);
  EXPECT_EQ(strip.planes.count[0], 8);
  EXPECT_EQ(strip.planes.kind[1], 0xff);
}

TEST(Pyramid, OfAProgramWithoutOperationsIsEmpty) {
  const test::TemporaryDirectory directory;
  replay::ProgramBuilder builder(directory / "program");
  builder.begin_rank(builder.node("n"), 1);
  builder.end_rank(0);
  const Runs runs{.observed = builder.finish(), .expected = {}, .comparison = {}};
  const Pyramid pyramid = make_pyramid(runs);
  const Strip strip = strip_of(runs, pyramid, pyramid.sources[0], 0, 0, 0);
  EXPECT_EQ(strip.operations, 0U);
  EXPECT_EQ(strip.worst_operation, replay::kNone);
  EXPECT_TRUE(std::ranges::all_of(strip.planes.kind, [](std::uint8_t kind) { return kind == 0xff; }));
}

// sign x min(127, round(3 log2(1 + |t| / 1 ns))), here by the standard library.
TEST(LogOf, TimesAndCountsAreAsDocumented) {
  std::mt19937_64 random = printed_random();
  for (int i = 0; i < 100'000; ++i) {
    const std::int64_t ps = static_cast<std::int64_t>(random() >> (1 + random() % 63)) * (random() % 2 == 0 ? 1 : -1);
    const long double exact = 3 * std::log2(1 + std::abs(static_cast<long double>(ps)) / 1000);
    const long double distance = std::abs(exact - std::floor(exact) - 0.5L);
    if (distance < 1e-9L) continue;  // either neighbour is right
    const long double code = std::min(127.0L, std::round(exact));
    ASSERT_EQ(log_of(Duration{ps}), static_cast<int>(ps < 0 ? -code : code)) << ps << " ps";
  }
  EXPECT_EQ(log_of(Duration{}), 0);
  EXPECT_EQ(log_of(Duration{1000}), 3);
  EXPECT_EQ(log_of(Duration{-1000}), -3);
  EXPECT_EQ(log_of(Duration{INT64_MAX}), 127);
  EXPECT_EQ(log_of(Duration{INT64_MIN}), -127);
  EXPECT_EQ(log_of(std::uint64_t{0}), 0);
  EXPECT_EQ(log_of(std::uint64_t{1}), 8);
  EXPECT_EQ(log_of(std::uint64_t{1023}), 80);
}

}  // namespace
}  // namespace plumbline::viewer
