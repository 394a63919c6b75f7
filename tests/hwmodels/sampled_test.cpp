#include "hwmodels/network/sampled.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/settings/settings.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "sim/random.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

Duration micros(std::int64_t n) { return microseconds(n); }

// All take `time`.
MessageTimes always(std::uint64_t size, std::uint32_t in_flight, Duration time) {
  return {Bytes{size}, in_flight, 0, "", {{0, time}, {1, time}}};
}

// Evenly spread from `least` to `greatest`.
MessageTimes evenly(std::uint64_t size, std::uint32_t in_flight, Duration least, Duration greatest) {
  return {Bytes{size}, in_flight, 0, "", {{0, least}, {1, greatest}}};
}

const std::vector<Quantile> kLongTail{
    {0, micros(50)}, {0.5, micros(60)}, {0.99, micros(100)}, {0.999, micros(300)}, {1, micros(200'300)}};

TEST(QuantileTable, GivesItsKnotsExactlyAndIsStraightBetween) {
  const QuantileTable table(kLongTail);
  for (const Quantile& knot : kLongTail) EXPECT_EQ(table.at(knot.share), knot.value) << knot.share;
  EXPECT_EQ(table.at(0.25), micros(55));
  EXPECT_EQ(table.at(0.745), micros(80));
  EXPECT_EQ(table.at(0.9995), micros(100'300));
}

TEST(QuantileTable, FindsThePieceOfAnyShareAsALinearSearchDoes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed, "quantiles");
    std::set<double> shares{0, 1};
    for (std::uint64_t i = random.below(200); i > 0; --i) {
      const double share = random.uniform();
      shares.insert(random.below(2) == 0 ? share : 1 - share * 1e-4);  // many in the tail
    }
    std::vector<Quantile> quantiles;
    Duration value;
    for (const double share : shares)
      quantiles.push_back({share, value += nanoseconds(1 + static_cast<int>(random.below(9999)))});
    const QuantileTable table(quantiles);
    for (int i = 0; i < 500; ++i) {
      const double share = i % 2 == 0 ? random.uniform() : 1 - random.uniform() * 1e-4;
      std::size_t piece = 0;
      while (quantiles[piece + 1].share <= share) ++piece;
      const Quantile &low = quantiles[piece], &high = quantiles[piece + 1];
      const double truth = static_cast<double>(low.value.ps) + (share - low.share) / (high.share - low.share) *
                                                                   static_cast<double>((high.value - low.value).ps);
      EXPECT_NEAR(static_cast<double>(table.at(share).ps), truth, 1) << "seed " << seed << " share " << share;
    }
  }
}

TEST(TimesOfRange, BetweenTwoSizesEachQuantileGrowsWithTheBytes) {
  TimesOfRange times({evenly(3000, 1, micros(30), micros(60)), evenly(1000, 1, micros(10), micros(20))});
  EXPECT_EQ(times.at({1000}, 1, 0), micros(10));
  EXPECT_EQ(times.at({1500}, 1, 0), micros(15));
  EXPECT_EQ(times.at({1500}, 1, 1), micros(30));
  EXPECT_EQ(times.at({1500}, 1, 0.5), Duration{22'500'000});
  EXPECT_EQ(times.at({3000}, 1, 1), micros(60));
}

// T = l + s/W: exact at any size, whatever the sizes that were measured.
TEST(TimesOfRange, AConstantRateIsReproducedExactly) {
  const auto law = [](std::uint64_t bytes) { return micros(50) + nanoseconds(10) * static_cast<std::int64_t>(bytes); };
  TimesOfRange times({always(0, 1, law(0)), always(1024, 1, law(1024)), always(1 << 20, 1, law(1 << 20))});
  RandomStream random(1, "sizes");
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t size = random.below(1 << 21);  // half of them beyond the largest
    const Duration truth = law(size), got = times.at({size}, 1, random.uniform());
    EXPECT_LE(std::abs((got - truth).ps), 1) << size;
  }
}

TEST(TimesOfRange, BetweenTwoNumbersInFlightEachQuantileIsInProportion) {
  TimesOfRange times(
      {evenly(8, 4, micros(40), micros(100)), evenly(8, 2, micros(10), micros(20)), always(8, 1, micros(5))});
  EXPECT_EQ(times.at({8}, 1, 0.5), micros(5));
  EXPECT_EQ(times.at({8}, 2, 1), micros(20));
  EXPECT_EQ(times.at({8}, 3, 0), micros(25));
  EXPECT_EQ(times.at({8}, 3, 1), micros(60));
  EXPECT_EQ(times.most_in_flight(), 4U);
}

TEST(TimesOfRange, OutsideOfWhatWasMeasuredTheNearestHolds) {
  TimesOfRange times({always(100, 2, micros(10)), always(100, 4, micros(20)), always(200, 2, micros(30))});
  EXPECT_EQ(times.at({100}, 1, 0.5), micros(10));
  EXPECT_EQ(times.at({100}, 99, 0.5), micros(20));
  EXPECT_EQ(times.at({0}, 2, 0.5), micros(10));
}

TEST(TimesOfRange, BeyondTheLargestSizeItsDistributionIsScaledAsTheMedianGoesOn) {
  TimesOfRange two({evenly(1000, 1, micros(10), micros(30)), evenly(2000, 1, micros(20), micros(40))});
  // The median grows by 10 us for 1000 bytes: 40 us with 3000 bytes, 4/3 of what it is with 2000.
  EXPECT_EQ(two.at({3000}, 1, 0.5), micros(40));
  EXPECT_NEAR(static_cast<double>(two.at({3000}, 1, 0).ps), 20e6 * 4 / 3, 1);
  EXPECT_NEAR(static_cast<double>(two.at({3000}, 1, 1).ps), 40e6 * 4 / 3, 1);
  TimesOfRange alone({evenly(1000, 1, micros(10), micros(30))});
  EXPECT_EQ(alone.at({4000}, 1, 0), micros(40));
  TimesOfRange falling({always(1000, 1, micros(20)), always(2000, 1, micros(10))});
  EXPECT_EQ(falling.at({9000}, 1, 0.5), micros(10));
}

TEST(TimesOfRange, ATimeBeyondTheAxisIsAnError) {
  TimesOfRange times({always(1, 1, seconds(1))});
  EXPECT_THROW(times.at({std::uint64_t{1} << 60}, 1, 0.5), Error);
}

// Two nodes of two ranks each. Inside 1 us; between, with so many in flight, 10 us each.
Platform two_nodes() {
  Platform p;
  p.network = NetworkKind::kSampled;
  for (int i = 0; i < 2; ++i) p.nodes.emplace_back().name = fmt::format("n{}", i);
  MessageRange range;
  range.times = {always(8, 1, micros(1)), always(8, 2, micros(2))};
  p.inside.ranges = {range};
  range.times = {always(8, 1, micros(10)), always(8, 2, micros(20)), always(8, 3, micros(30))};
  p.between.ranges = {range};
  return p;
}
const std::vector<std::uint32_t> kTwoOnEach{0, 0, 1, 1};

TEST(SampledNetwork, MessagesBetweenNodesCountTogetherAndThoseInsideOfANodeAmongThemselves) {
  Sampled network(two_nodes(), kTwoOnEach, {});
  const auto time = [&](std::uint32_t from, std::uint32_t to) { return network.one_way(from, to, {8}, 0.5); };
  network.depart(0, 2);
  network.depart(3, 1);
  network.depart(0, 1);
  network.depart(2, 3);
  network.depart(3, 2);
  EXPECT_EQ(time(0, 2), micros(20));
  EXPECT_EQ(time(3, 1), micros(20));
  EXPECT_EQ(time(0, 1), micros(1));
  EXPECT_EQ(time(2, 3), micros(2));
  network.arrive(0, 2);
  EXPECT_EQ(time(3, 1), micros(10));
  EXPECT_EQ(network.beyond_measured(), 0U);
}

TEST(SampledNetwork, WhatIsBeyondTheMeasuredNumberInFlightIsCounted) {
  Sampled network(two_nodes(), kTwoOnEach, {});
  for (int i = 0; i < 4; ++i) network.depart(0, 2);
  EXPECT_EQ(network.one_way(0, 2, {8}, 0.5), micros(30));
  EXPECT_EQ(network.beyond_measured(), 1U);
}

TEST(SampledNetwork, EachRankDrawsFromAStreamOfItsOwn) {
  const Platform p = two_nodes();
  Sampled one(p, kTwoOnEach, {.seed = 7}), other(p, kTwoOnEach, {.seed = 7}), seed(p, kTwoOnEach, {.seed = 8});
  std::vector<double> of_rank_2;
  for (int i = 0; i < 10; ++i) of_rank_2.push_back(one.share(2));
  for (int i = 0; i < 10; ++i) {
    other.share(0);  // others decide nothing
    EXPECT_EQ(other.share(2), of_rank_2[static_cast<std::size_t>(i)]);
  }
  EXPECT_NE(seed.share(2), of_rank_2.front());
  EXPECT_NE(Sampled(p, kTwoOnEach, {.seed = 7}).share(1), of_rank_2.front());
  EXPECT_EQ(Sampled(p, kTwoOnEach, {.share = 0.25}).share(1), 0.25);
}

// Test of Kolmogorov and Smirnov: the seed is fixed, and a distance above 1.95 / sqrt(n) has a probability of 0.1 %.
TEST(SampledNetwork, WhatIsDrawnIsDistributedAsWhatWasMeasured) {
  Platform p = two_nodes();
  p.between.ranges.front().times = {{Bytes{8}, 1, 0, "", kLongTail}};
  Sampled network(p, kTwoOnEach, {.seed = 3});
  constexpr std::size_t kDraws = 100'000;
  std::vector<Duration> drawn;
  network.depart(0, 2);
  for (std::size_t i = 0; i < kDraws; ++i) drawn.push_back(network.one_way(0, 2, {8}, network.share(0)));
  std::ranges::sort(drawn);
  double distance = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    std::size_t piece = 0;
    while (piece + 2 < kLongTail.size() && kLongTail[piece + 1].value <= drawn[i]) ++piece;
    const Quantile &low = kLongTail[piece], &high = kLongTail[piece + 1];
    const double share = low.share + (high.share - low.share) * static_cast<double>((drawn[i] - low.value).ps) /
                                         static_cast<double>((high.value - low.value).ps);
    distance = std::max(distance, std::abs(share - static_cast<double>(i) / kDraws));
  }
  EXPECT_LT(distance, 1.95 / std::sqrt(static_cast<double>(kDraws)));
  EXPECT_GT(drawn.back(), micros(300));  // the tail is drawn from
}

// ---- The file

const char* const kSampledFile = R"(<platform version="1" network="sampled">
  <node name="a"/>
  <inside>
    <range upto="1KiB" protocol="eager" send="1us" receive="2us">
      <times size="8B" quantiles="0%:50us 50%:52us 99%:60us 100%:3ms"/>
      <times size="1KiB" in-flight="4" count="1000" quantiles="0%:60us
        100%:70us" source="bench"/>
    </range>
    <range protocol="rendezvous" send="1us" receive="2us"><times size="1MiB" quantiles="0%:1ms 100%:2ms"/></range>
  </inside>
</platform>)";

TEST(SampledFile, HasTheTimesOfEachRange) {
  const Platform p = parse_platform(kSampledFile, "s.xml");
  EXPECT_EQ(p.network, NetworkKind::kSampled);
  ASSERT_EQ(p.inside.ranges.size(), 2U);
  ASSERT_EQ(p.inside.ranges[0].times.size(), 2U);
  const MessageTimes &small = p.inside.ranges[0].times[0], &large = p.inside.ranges[0].times[1];
  EXPECT_EQ(
      small,
      (MessageTimes{Bytes{8}, 1, 0, "", {{0, micros(50)}, {0.5, micros(52)}, {0.99, micros(60)}, {1, micros(3000)}}}));
  EXPECT_EQ(large, (MessageTimes{Bytes{1024}, 4, 1000, "bench", {{0, micros(60)}, {1, micros(70)}}}));
}

TEST(SampledFile, WhatIsWrittenIsReadAgain) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(seed, "sampled file");
    Platform p = parse_platform(kSampledFile, "s.xml");
    for (MessageRange& range : p.inside.ranges)
      for (MessageTimes& times : range.times) {
        times.in_flight = 1 + static_cast<std::uint32_t>(random.below(1000));
        times.count = random.below(2) * random.below(100'000);
        times.source = random.below(2) ? "µ & <here>" : "";
        std::set<double> shares{0, 1};
        for (std::uint64_t i = random.below(40); i > 0; --i) shares.insert(random.uniform());
        times.quantiles.clear();
        Duration value;
        for (const double share : shares) {
          value += picoseconds(static_cast<std::int64_t>(random() >> (4 + random.below(50))) / 64 + 1);
          times.quantiles.push_back({share, value});
        }
      }
    EXPECT_EQ(parse_platform(to_xml(p), "again.xml"), p) << "seed " << seed;
  }
}

struct SampledFault {
  const char *from, *to, *fault;
};

class SampledFileFault : public testing::TestWithParam<SampledFault> {};

TEST_P(SampledFileFault, IsToldWithItsLine) {
  std::string xml = kSampledFile;
  const SampledFault& param = GetParam();
  const std::size_t place = xml.find(param.from);
  ASSERT_NE(place, xml.npos);
  xml.replace(place, std::string(param.from).size(), param.to);
  std::string told;
  try {
    parse_platform(xml, "s.xml");
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) told += (told.empty() ? "" : "\n") + to_string(problem);
  }
  EXPECT_EQ(told, param.fault);
}

INSTANTIATE_TEST_SUITE_P(
    Each, SampledFileFault,
    testing::Values(
        SampledFault{"size=\"8B\"", "", "s.xml:5: <times> of '' has no size; add size=\"1KiB\""},
        SampledFault{"size=\"8B\"", "size=\"2KiB\"",
                     "s.xml:4: range up to '1KiB' has <times> of 2KiB, which is not in it; put them into the range of "
                     "their size"},
        SampledFault{"size=\"1MiB\"", "size=\"1KiB\"",
                     "s.xml:9: the last range has <times> of 1KiB, which is not in it; put them into the range of "
                     "their size"},
        SampledFault{"size=\"8B\"", "size=\"8B\" in-flight=\"0\"",
                     "s.xml:5: <times> of '8B' has in-flight='0', which is not a whole number from 1 on; write "
                     "in-flight=\"1\""},
        SampledFault{"count=\"1000\"", "count=\"many\"",
                     "s.xml:6: <times> of '1KiB' has count='many', which is not a whole number from 1 on; write "
                     "count=\"1000\""},
        SampledFault{"0%:50us", "0%:0us",
                     "s.xml:5: <times> of '8B' has a least time of zero; no message takes no time: give what was "
                     "measured"},
        SampledFault{"50%:52us", "50%:52",
                     "s.xml:5: <times> of '8B' has a quantile '50%:52', which is not a share and a time; write for "
                     "example quantiles=\"0%:50us 50%:52us 99%:60us 100%:3ms\""},
        SampledFault{"50%:52us", "50:52us",
                     "s.xml:5: <times> of '8B' has a quantile '50:52us', which is not a share and a time; write for "
                     "example quantiles=\"0%:50us 50%:52us 99%:60us 100%:3ms\""},
        SampledFault{"50%:52us", "99%:52us",
                     "s.xml:5: <times> of '8B' has 99% behind 99%; order the quantiles by share, each once"},
        SampledFault{"50%:52us", "50%:72us",
                     "s.xml:5: <times> of '8B' takes 72us at 50% and less, 60us, at 99%; a larger share of messages "
                     "takes no less time"},
        SampledFault{" 100%:3ms", "",
                     "s.xml:5: <times> of '8B' has quantiles that are not from 0% to 100%; begin with the least time, "
                     "end with the greatest"},
        SampledFault{"size=\"8B\"", "size=\"1KiB\" in-flight=\"4\"",
                     "s.xml:6: <times> of '1KiB' with 4 in flight appears again; remove one"},
        SampledFault{"<times size=\"1MiB\" quantiles=\"0%:1ms 100%:2ms\"/>", "",
                     "s.xml:9: open range has no <times>, and the network is sampled; see docs/reference/platform.md"},
        SampledFault{"size=\"8B\" quantiles=\"0%:50us", "size=\"8B\" sizes=\"7\" quantiles=\"0%:90us",
                     "s.xml:5: <times> of '8B' has an unknown attribute 'sizes'; did you mean 'size'?\n"
                     "s.xml:5: <times> of '8B' takes 90us at 0% and less, 52us, at 50%; a larger share of messages "
                     "takes no less time"}));

TEST(SampledFile, WhatWasMeasuredCanBeScaled) {
  Platform p = parse_platform(kSampledFile, "s.xml");
  Diagnostics diagnostics;
  apply(parse_setting("inside.range1.times=50%"), p, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(p.inside.ranges[0].times[0].quantiles[1].value, micros(26));
  EXPECT_EQ(p.inside.ranges[1].times[0].quantiles[0].value, micros(1000));
  apply(parse_setting("inside.range1.times=0%"), p, diagnostics);
  EXPECT_FALSE(diagnostics.empty());
}

}  // namespace
}  // namespace plumbline::hw
