#include "base/clock_fit.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/simulated_clock.hpp"

namespace plumbline::clocks {
namespace {

using test::exchange_at;
using test::kSecond;
using test::SimulatedClock;
using test::SimulatedNetwork;

// How far the fit is from the truth at most, between two true times.
double worst_error(const ClockFit& fit, const SimulatedClock& clock, std::int64_t from, std::int64_t to) {
  double worst = 0;
  constexpr int kPlaces = 1000;
  for (int i = 0; i <= kPlaces; ++i) {
    const std::int64_t now = from + (to - from) / kPlaces * i;
    const std::int64_t node = clock.node_ns(now);
    worst = std::max(worst, std::abs(static_cast<double>(now - node - fit.difference(node))));
  }
  return worst;
}

struct FitCase {
  SimulatedClock clock;
  SimulatedNetwork network;
  std::int64_t seconds;
};

TEST(ClockFit, TheTruthLiesWithinTheBoundWhateverTheDelays) {
  const SimulatedNetwork even, asymmetric{10'000, 500'000, 5'000}, noisy{10'000, 500'000, 200'000}, fast{500, 500, 100};
  std::vector<FitCase> cases;
  for (const std::int64_t behind : {kSecond, -kSecond, std::int64_t{0}, 30 * 86'400 * kSecond})
    for (const double ppm : {50.0, -50.0, 0.0, 400.0})
      for (const SimulatedNetwork& network : {even, asymmetric, noisy, fast})
        for (const std::int64_t seconds : {1, 60, 1'200}) cases.push_back({{behind, ppm}, network, seconds});
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    std::mt19937 random(seed);
    for (const FitCase& c : cases) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", behind " << c.clock.behind_ns << " ns, "
                                      << c.clock.fast_ppm << " ppm, delays " << c.network.there_ns << " and "
                                      << c.network.back_ns << " ns, " << c.seconds << " s");
      const std::int64_t begin = 5 * kSecond, end = begin + c.seconds * kSecond;
      std::vector<Burst> bursts{exchange_at(begin, 60, c.clock, c.network, random)};
      for (std::int64_t t = begin + 10 * kSecond; t < end; t += 10 * kSecond)
        bursts.push_back(tightest(exchange_at(t, 8, c.clock, c.network, random), 2));
      bursts.push_back(exchange_at(end, 60, c.clock, c.network, random));
      const auto fit = fit_clock(bursts, c.clock.node_ns(begin), c.clock.node_ns(end));
      ASSERT_TRUE(fit.has_value());
      EXPECT_EQ(fit->slack_ns, 0);
      EXPECT_LE(worst_error(*fit, c.clock, begin, end), fit->uncertainty_ns);
      const double half_round = static_cast<double>(c.network.there_ns + c.network.back_ns) / 2;
      EXPECT_LE(fit->uncertainty_ns, half_round + c.network.jitter_ns + 1'000);
      const double drift = -c.clock.fast_ppm / (1 + c.clock.fast_ppm * 1e-6);  // per unit of the node's time
      EXPECT_NEAR(fit->drift() * 1e6, drift, 2 * fit->uncertainty_ns / static_cast<double>(c.seconds) / 1e3);
    }
  }
}

TEST(ClockFit, NoExchangeArrivesBeforeItWasSent) {
  std::mt19937 random(7);
  const SimulatedClock clock{kSecond, 50};
  const std::vector<Burst> bursts{exchange_at(0, 100, clock, {10'000, 500'000, 50'000}, random),
                                  exchange_at(20 * kSecond, 100, clock, {500'000, 10'000, 50'000}, random)};
  const auto fit = fit_clock(bursts, clock.node_ns(0), clock.node_ns(20 * kSecond));
  ASSERT_TRUE(fit.has_value());
  for (const Burst& burst : bursts) {
    for (const Exchange& e : burst) {
      EXPECT_LE(e.sent + fit->difference(e.sent), e.taken + 1);
      EXPECT_GE(e.received + fit->difference(e.received), e.answered - 1);
    }
  }
}

TEST(ClockFit, OneExchangeIsEnoughForARunOfNoLength) {
  const Burst one{{1'000, 2'000'000, 2'000'400, 41'400}};  // 40 us there and back
  const auto fit = fit_clock(std::vector<Burst>{one}, 20'000, 20'000);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(static_cast<double>(fit->difference(21'200)), 1'979'000, 50);
  EXPECT_NEAR(fit->uncertainty_ns, 20'000, 1'100);  // and what a millisecond may drift
}

TEST(ClockFit, FromExchangesAtTheStartTheBoundWidensWithWhatClocksMayDrift) {
  std::mt19937 random(3);
  const SimulatedClock clock{0, 50};
  const std::vector<Burst> bursts{exchange_at(0, 50, clock, {}, random)};
  const auto fit = fit_clock(bursts, 0, 10 * kSecond);
  ASSERT_TRUE(fit.has_value());
  EXPECT_GE(fit->uncertainty_ns, 50e-6 * 10e9);
  EXPECT_LE(fit->uncertainty_ns, kSteepest * 10e9 + 25'000);
  EXPECT_LE(worst_error(*fit, clock, 0, 10 * kSecond), fit->uncertainty_ns);
}

TEST(ClockFit, AStepIsSeenAndTheBoundCoversIt) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const SimulatedClock clock{kSecond, 50, 33 * kSecond, 5'000'000};  // 5 ms in the middle of a minute
    std::vector<Burst> bursts;
    for (std::int64_t t = 0; t <= 60 * kSecond; t += 10 * kSecond)
      bursts.push_back(exchange_at(t, 10, clock, {}, random));
    const auto fit = fit_clock(bursts, clock.node_ns(0), clock.node_ns(60 * kSecond));
    ASSERT_TRUE(fit.has_value());
    EXPECT_GT(fit->slack_ns, 500'000);
    EXPECT_LE(worst_error(*fit, clock, 0, 60 * kSecond), fit->uncertainty_ns);
    EXPECT_LE(fit->uncertainty_ns, 10'000'000);
  }
}

TEST(ClockFit, WithoutExchangesThereIsNone) {
  EXPECT_FALSE(fit_clock({}, 0, 10).has_value());
  EXPECT_FALSE(fit_clock(std::vector<Burst>(3), 0, 10).has_value());
}

TEST(Tightest, KeepsTheExchangesThatBoundFromEitherSide) {
  std::mt19937 random(1);
  const Burst burst = exchange_at(0, 500, {kSecond, 0}, {10'000, 10'000, 50'000}, random);
  const Burst few = tightest(burst, 4);
  EXPECT_LE(few.size(), 8u);
  EXPECT_EQ(bounds_of(few).lower, bounds_of(burst).lower);
  EXPECT_EQ(bounds_of(few).upper, bounds_of(burst).upper);
}

TEST(Lines, TheClosestOfThemIsTheWantedOneOrOnTheirEdge) {
  Lines lines(1e9, 100);
  lines.stay_below(0, 10);
  lines.stay_above(0, -10);
  lines.stay_below(1e9, 20);
  lines.stay_above(1e9, 0);
  EXPECT_DOUBLE_EQ(lines.closest_to({3, 4}).begin, 3);
  EXPECT_DOUBLE_EQ(lines.closest_to({50, 4}).begin, 10);
  EXPECT_DOUBLE_EQ(lines.closest_to({50, 4}).end, 4);
  EXPECT_DOUBLE_EQ(lines.closest_to({-50, 90}).end, 20);
}

}  // namespace
}  // namespace plumbline::clocks
