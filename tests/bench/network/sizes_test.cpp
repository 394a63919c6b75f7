// Sizes that are chosen while measuring, on made-up networks whose changes of protocol are known.

#include "bench/ranks/network/sizes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "hwmodels/calibrate/loggp.hpp"

namespace plumbline::bench::network {
namespace {

constexpr double kMessages = 10;

struct Network {  // us, us/B: Table 2 of "LogGP in theory and practice"
  const char* name;
  double latency, overhead, gap, per_byte;
  double change, gap_above, per_byte_above;
};

const std::vector<Network> kTable = {
    {"NMPI/SCI", 5.48, 6.10, 7.78, 0.0045, 12289, 13.34, 0.0037},
    {"Open MPI/IB SDR", 5.96, 4.72, 5.14, 0.00073, 12289, 21.39, 0.00103},
    {"Open MPI/iWARP", 10.97, 5.05, 5.06, 0.0023, 12289, 42.00, 0.00101},
    {"Open MPI/GM", 10.53, 1.27, 9.44, 0.0092, 32769, 52.01, 0.0042},
    {"Open MPI/MX", 2.98, 1.48, 2.00, 0.00081, 32769, 33.10, 0.00109},
};

SizePoint trips(const Network& of, std::uint64_t size) {
  const bool above = static_cast<double>(size) >= of.change;
  const double bytes = static_cast<double>(size) - 1, per_byte = above ? of.per_byte_above : of.per_byte;
  return {size, 2 * (of.latency + 2 * of.overhead + bytes * per_byte),
          std::max(of.overhead, (above ? of.gap_above : of.gap) + bytes * per_byte)};
}

using Measure = std::function<SizePoint(std::uint64_t)>;

std::vector<SizePoint> refined(const Measure& measure, std::vector<SizePoint> points, const RefineRule& rule,
                               std::size_t most = 1000) {
  while (points.size() < most) {
    const auto size = next_size(points, rule);
    if (!size) break;
    const auto at = std::ranges::find_if(points, [&](const SizePoint& point) { return point.size >= *size; });
    EXPECT_TRUE(at != points.begin() && at != points.end() && at->size != *size) << *size << " is new and between";
    points.insert(at, measure(*size));
  }
  return points;
}

std::vector<SizePoint> coarse(const Measure& measure, std::uint64_t largest = 65536) {
  std::vector<SizePoint> points;
  for (const std::uint64_t size : doubling_sizes(1, largest)) points.push_back(measure(size));
  return points;
}

hw::calibration::LogGPFit fitted(const std::vector<SizePoint>& points) {
  std::vector<hw::calibration::RoundTrips> trips;
  for (const SizePoint& point : points) {
    hw::calibration::RoundTrips each;
    each.size = static_cast<double>(point.size);
    each.one = 1000 * point.one;
    each.many = 1000 * (point.one + (kMessages - 1) * point.busy);
    trips.push_back(each);
  }
  return hw::calibration::fit_loggp(trips, static_cast<std::uint32_t>(kMessages));
}

TEST(DoublingSizes, EndAtTheLastOneWhateverItIs) {
  EXPECT_EQ(doubling_sizes(1, 8), (std::vector<std::uint64_t>{1, 2, 4, 8}));
  EXPECT_EQ(doubling_sizes(3, 13), (std::vector<std::uint64_t>{3, 6, 12, 13}));
  EXPECT_EQ(doubling_sizes(0, 2), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(doubling_sizes(5, 5), (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(doubling_sizes(1, UINT64_MAX).size(), 65u);
}

TEST(NextSize, IsTheMiddleOfTheGapInWhichTheTimeJumps) {
  const auto measure = [](std::uint64_t size) {
    const double time = size <= 5000 ? 1 + 1e-3 * static_cast<double>(size) : 20 + 1e-3 * static_cast<double>(size);
    return SizePoint{size, time, time};
  };
  const std::vector<SizePoint> points = coarse(measure);
  EXPECT_EQ(next_size(points, {}), 4096 + 2048u);
  EXPECT_EQ(points[suspects(points)[0].gap].size, 4096u);
}

TEST(NextSize, IsNoneOnALineOrOnAlmostOne) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> noise(0.995, 1.005);
  const auto line = [](std::uint64_t size) {
    return SizePoint{size, 2 + 1e-3 * static_cast<double>(size), 1 + 2e-3 * static_cast<double>(size)};
  };
  EXPECT_EQ(next_size(coarse(line), {}), std::nullopt);
  const auto almost = [&](std::uint64_t size) {
    SizePoint point = line(size);
    point.one *= noise(random);
    point.busy *= noise(random);
    return point;
  };
  for (int repeat = 0; repeat < 50; ++repeat) EXPECT_EQ(next_size(coarse(almost), {}), std::nullopt);
  EXPECT_EQ(next_size({}, {}), std::nullopt);
  EXPECT_EQ(next_size(coarse(line, 2), {}), std::nullopt);
}

TEST(RefinedSizes, LetTheFitPlaceTheChangesOfTable2Within256Bytes) {
  for (const Network& network : kTable) {
    SCOPED_TRACE(network.name);
    const auto measure = [&](std::uint64_t size) { return trips(network, size); };
    const std::vector<SizePoint> points = refined(measure, coarse(measure), {});
    EXPECT_LE(points.size(), 40u) << "of 257 at equal distances";
    const auto fit = fitted(points);
    ASSERT_EQ(fit.intervals.size(), 2u);
    EXPECT_LT(fit.intervals[0].last, network.change);
    EXPECT_GE(fit.intervals[1].first, network.change);
    EXPECT_LE(fit.intervals[1].first - fit.intervals[0].last, 256);
    EXPECT_NEAR(fit.intervals[1].gap, 1000 * network.gap_above, 1e-3 * network.gap_above);
  }
}

// Jumps of a fifth and more, anywhere between the fourth size from either end, with noise of 1 %.
TEST(RefinedSizes, FindAChangeAnywhereThroughNoise) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(0.99, 1.01), jump(1.2, 3), exponent(5, 12);
  int placed = 0;
  constexpr int kNetworks = 300;
  for (int repeat = 0; repeat < kNetworks; ++repeat) {
    Network network{"", 5, 1, 2, 0.001, std::floor(std::exp2(exponent(random))), 0, 0.001};
    network.gap_above = (jump(random) - 1) * (2 + 0.001 * network.change) + 2;
    const auto measure = [&](std::uint64_t size) {
      SizePoint point = trips(network, size);
      point.one *= noise(random);
      point.busy *= noise(random);
      return point;
    };
    const std::vector<SizePoint> points = refined(measure, coarse(measure), {}, 60);
    const auto above = std::ranges::find_if(
        points, [&](const SizePoint& point) { return static_cast<double>(point.size) >= network.change; });
    if (above->size - std::prev(above)->size <= 256) ++placed;
  }
  EXPECT_EQ(placed, kNetworks);
}

TEST(RefinedSizes, FindSeveralChanges) {
  const auto measure = [](std::uint64_t size) {
    const double steps = (size > 1000 ? 5 : 0) + (size > 9000 ? 20 : 0) + (size > 40000 ? 60 : 0);
    const double time = 2 + steps + 1e-3 * static_cast<double>(size);
    return SizePoint{size, time, time};
  };
  const std::vector<SizePoint> points = refined(measure, coarse(measure, 1u << 20), {});
  EXPECT_LE(points.size(), 60u);
  for (const std::uint64_t change : {1000u, 9000u, 40000u}) {
    const auto above = std::ranges::find_if(points, [&](const SizePoint& point) { return point.size > change; });
    EXPECT_LE(above->size - std::prev(above)->size, 256u) << change;
  }
}

TEST(RefinedSizes, GoToTheByteWhereAsked) {
  const auto measure = [](std::uint64_t size) {
    const double time = size <= 4095 ? 1.0 : 3.0;
    return SizePoint{size, time, time};
  };
  const std::vector<SizePoint> points = refined(measure, coarse(measure), {.resolution = 1});
  const auto above = std::ranges::find_if(points, [](const SizePoint& point) { return point.size > 4095; });
  EXPECT_EQ(above->size, 4096u);
  EXPECT_EQ(std::prev(above)->size, 4095u);
}

}  // namespace
}  // namespace plumbline::bench::network
