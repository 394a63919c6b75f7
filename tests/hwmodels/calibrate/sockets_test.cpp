// Sockets that come back from the campaigns that they predict, and are not seen where there are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/calibrate/node/socket_parts.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_sockets.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

double relative(double made, double truth) { return std::abs(made - truth) / truth; }
double relative(const Parameter<BytesPerSecond>& made, const Parameter<BytesPerSecond>& truth) {
  return relative(static_cast<double>(made.value.count), static_cast<double>(truth.value.count));
}
double relative(const Parameter<Duration>& made, const Parameter<Duration>& truth) {
  return relative(made.value.seconds(), truth.value.seconds());
}

std::string all_notes(const Calibration& made) {
  std::string text;
  for (const std::string& note : made.notes) text += note + "\n";
  return text;
}

const PairClass* class_named(const Calibration& made, const std::string& name) {
  for (const PairClass& each : made.classes)
    if (each.name == name) return &each;
  return nullptr;
}

const Sockets& sockets_of_first(const Calibration& made) { return *made.platform.nodes[0].sockets; }

// The parts of hwmodels/platforms/westmere-sockets.xml.
Sockets westmere() {
  constexpr std::uint64_t kMiB = 1 << 20;
  return exact_sockets(3778 * kMiB, 4556 * kMiB, nanoseconds(38), 3427 * kMiB, 10864 * kMiB);
}

// Links slower than sockets, whose rate both directions share, and an interconnect that is faster than both.
Sockets random_sockets(std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const double local = 3e9 + 6e9 * share(random), rate = local * (0.6 + 0.4 * share(random)),
               link = rate * (0.65 + 0.2 * share(random)), interconnect = rate * (1.2 + share(random));
  const auto latency = nanoseconds(static_cast<std::int64_t>(30 + 170 * share(random)));
  const auto whole = [](double value) { return static_cast<std::uint64_t>(value); };
  return exact_sockets(whole(rate), whole(local), latency, whole(link), whole(interconnect));
}

std::optional<Bytes> random_eager(std::mt19937_64& random) {
  constexpr std::array<std::uint64_t, 4> kLimits = {0, 4096, 65'536, 262'144};
  const std::uint64_t limit = kLimits[random() % kLimits.size()];
  return limit == 0 ? std::nullopt : std::optional(Bytes{limit});
}

void expect_same_sockets(const Sockets& made, const Sockets& truth, double rates, double latency) {
  EXPECT_EQ(made.count, truth.count);
  EXPECT_LT(relative(made.local_rate, truth.local_rate), rates) << made.local_rate.value.count;
  EXPECT_LT(relative(made.rate, truth.rate), rates) << made.rate.value.count;
  EXPECT_LT(relative(made.link_rate, truth.link_rate), rates) << made.link_rate.value.count;
  EXPECT_LT(relative(made.interconnect_rate, truth.interconnect_rate), rates) << made.interconnect_rate.value.count;
  EXPECT_LT(relative(made.latency, truth.latency), latency) << made.latency.value.ps;
}

// Of each class each message, and streams alone, both ways and side by side.
void expect_same_predictions(const Platform& made, const Platform& truth, double within) {
  const SyntheticSockets predicted(made, {}), measured(truth, {});
  for (const std::uint32_t other : {1U, 2U}) {
    for (std::uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 3)
      EXPECT_LT(relative(predicted.one_way_ns(0, 0, other, bytes), measured.one_way_ns(0, 0, other, bytes)), within)
          << bytes << " B to rank " << other;
    for (const auto& streams :
         std::vector<std::vector<SyntheticSockets::Stream>>{{{0, other}}, {{0, other}, {other, 0}}})
      EXPECT_LT(relative(predicted.stream_rates(0, streams)[0], measured.stream_rates(0, streams)[0]), within)
          << streams.size() << " streams between ranks 0 and " << other;
  }
}

TEST(CalibratedSockets, AreThoseOfWestmereThatWereMeasuredWithoutNoise) {
  const Platform truth = platform_with_sockets({westmere()});
  const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign());
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  expect_same_sockets(*made.platform.nodes[0].sockets, westmere(), 0.02, 0.1);
  expect_same_predictions(made.platform, truth, 0.02);
  for (const Parameter<BytesPerSecond>& each :
       {sockets_of_first(made).rate, sockets_of_first(made).link_rate, sockets_of_first(made).interconnect_rate})
    EXPECT_THAT(each.source, Not(HasSubstr("told apart")));
  EXPECT_EQ(made.platform.nodes[0].cores, 4U);
  EXPECT_THAT(made.findings, IsEmpty());
  ASSERT_NE(class_named(made, "inside a socket"), nullptr);
  ASSERT_NE(class_named(made, "across sockets"), nullptr);
  EXPECT_EQ(class_named(made, "inside a socket")->pairs, 2U);
  EXPECT_EQ(class_named(made, "across sockets")->pairs, 4U);
  EXPECT_LT(class_named(made, "across sockets")->rate, class_named(made, "inside a socket")->rate);
  EXPECT_EQ(parse_platform(to_xml(made.platform), "made").nodes, made.platform.nodes);
}

TEST(CalibratedSockets, ComeBackFromWhatTheyPredictWithoutNoise) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const Sockets sockets = random_sockets(random);
    const Platform truth = platform_with_sockets({sockets}, random_eager(random));
    const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign());
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << all_notes(made));
    ASSERT_TRUE(made.platform.nodes[0].sockets);
    expect_same_sockets(*made.platform.nodes[0].sockets, sockets, 0.02, 0.1);
    expect_same_predictions(made.platform, truth, 0.02);
  }
}

// Streams there and back tell that sockets or interconnect limit both ways, but not which of them; the truth is the
// first of both. Beside streams that stay in the sockets, as above, it is known.
TEST(CalibratedSockets, OfAPairThereAndBackAreTakenAsWhatLimitsBothWays) {
  const Platform truth = platform_with_sockets({westmere()});
  const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign({.ring = false}));
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  const Sockets& sockets = *made.platform.nodes[0].sockets;
  expect_same_sockets(sockets, westmere(), 0.02, 0.1);
  EXPECT_THAT(sockets.rate.source, HasSubstr("cannot be told apart"));
  EXPECT_THAT(sockets.interconnect_rate.source, HasSubstr("cannot be told apart"));
  EXPECT_EQ(sockets.link_rate.source.find("told apart"), std::string::npos);
  EXPECT_GT(sockets.interconnect_rate.spread, 0.5);
}

TEST(CalibratedSockets, AreFoundWithNoiseInEveryMachine) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const Platform truth = platform_with_sockets({random_sockets(random)}, random_eager(random));
    const Noise noise{.pairs = 0.01, .runs = 0.01, .repetitions = 0.01, .seed = seed};
    const Calibration made = calibrate(SyntheticSockets(truth, noise).campaign());
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << all_notes(made));
    EXPECT_NE(class_named(made, "across sockets"), nullptr);
    ASSERT_TRUE(made.platform.nodes[0].sockets);
    expect_same_predictions(made.platform, truth, 0.1);
    EXPECT_THAT(made.findings, IsEmpty());
  }
}

TEST(CalibratedSockets, AreNotSeenWhereRanksOfTwoSocketsAreAsNearAsOfOne) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    const Platform truth = platform_with_sockets({std::nullopt}, random_eager(random));
    const Noise noise{.pairs = 0.01, .runs = 0.01, .repetitions = 0.01, .seed = seed};
    const Calibration made = calibrate(SyntheticSockets(truth, noise).campaign({.ring = seed % 2 == 0}));
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    EXPECT_FALSE(made.platform.nodes[0].sockets);
    EXPECT_EQ(class_named(made, "across sockets"), nullptr);
    ASSERT_NE(class_named(made, "inside a node"), nullptr);
    EXPECT_EQ(class_named(made, "inside a node")->pairs, 6U);
    EXPECT_THAT(all_notes(made), HasSubstr("n0 has 2 sockets, but pairs inside of it are one class: messages across "
                                           "them take as long as in one of them"));
  }
}

// As where a launcher deals ranks out to sockets: the pair that everything is measured of is one across them.
TEST(CalibratedSockets, ComeFromAFewSizesInASocketWhereOnlyAPairAcrossWasMeasuredDensely) {
  const Platform truth = platform_with_sockets({westmere()}, Bytes{4096});
  const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign({.dense_in_socket = false}));
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  expect_same_sockets(*made.platform.nodes[0].sockets, westmere(), 0.02, 0.1);
  const SyntheticSockets predicted(made.platform, {}), measured(truth, {});
  for (const std::uint32_t other : {1U, 2U})
    for (const std::uint64_t bytes : {1, 100, 1024, 4096, 10'000, 65'536, 100'000, 1'000'000})
      EXPECT_LT(relative(predicted.one_way_ns(0, 0, other, bytes), measured.one_way_ns(0, 0, other, bytes)), 0.03)
          << bytes << " B to rank " << other;
}

TEST(CalibratedSockets, SayWhatCannotBeToldApartAndHowFarOtherAnswersAre) {
  const Platform truth = platform_with_sockets({westmere()});
  const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign({.pair = false, .ring = false}));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  const Sockets& sockets = *made.platform.nodes[0].sockets;
  for (const Parameter<BytesPerSecond>& each : {sockets.rate, sockets.link_rate, sockets.interconnect_rate}) {
    EXPECT_THAT(each.source, HasSubstr("cannot be told apart"));
    EXPECT_GT(each.spread, 0.03);
  }
  EXPECT_EQ(sockets.local_rate.source.find("told apart"), std::string::npos);
  const SyntheticSockets predicted(made.platform, {}), measured(truth, {});
  for (const std::uint64_t bytes : {1, 1024, 65'536, 100'000})
    EXPECT_LT(relative(predicted.one_way_ns(0, 0, 2, bytes), measured.one_way_ns(0, 0, 2, bytes)), 0.03) << bytes;
  EXPECT_LT(relative(predicted.stream_rates(0, {{0, 2}})[0], measured.stream_rates(0, {{0, 2}})[0]), 0.02);
}

TEST(CalibratedSockets, AreFourWhoseInterconnectStreamsWithoutACommonSocketShare) {
  Sockets sockets = exact_sockets(5'000'000'000, 6'000'000'000, nanoseconds(60), 3'200'000'000, 4'000'000'000);
  sockets.count = 4;
  const Platform truth = platform_with_sockets({sockets});
  const Calibration made = calibrate(SyntheticSockets(truth, {}, 2, 4).campaign());
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  expect_same_sockets(*made.platform.nodes[0].sockets, sockets, 0.02, 0.1);
  EXPECT_EQ(made.platform.nodes[0].sockets->rate.source.find("told apart"), std::string::npos);
  EXPECT_EQ(made.platform.nodes[0].cores, 8U);
}

TEST(CalibratedSockets, AreAllEquallyFastWhereNoStreamsWereMeasured) {
  const Platform truth = platform_with_sockets({westmere()});
  const Calibration made = calibrate(SyntheticSockets(truth, {}).campaign({.streams = false}));
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  const SyntheticSockets predicted(made.platform, {}), measured(truth, {});
  for (const std::uint32_t other : {1U, 2U})
    for (const std::uint64_t bytes : {1, 1024, 65'536})
      EXPECT_LT(relative(predicted.one_way_ns(0, 0, other, bytes), measured.one_way_ns(0, 0, other, bytes)), 0.03);
}

TEST(CalibratedSockets, NeedPairsOfBothKinds) {
  const Platform truth = platform_with_sockets({westmere()});
  bench::Campaign campaign = SyntheticSockets(truth, {}).campaign();
  std::erase_if(campaign.cells, [](const bench::Cell& cell) { return cell.ranks[0] / 2 != cell.ranks[1] / 2; });
  const Calibration made = calibrate(campaign);
  EXPECT_FALSE(made.platform.nodes[0].sockets);
  EXPECT_THAT(all_notes(made), HasSubstr("no pair across them was measured; measure with more ranks per node"));
}

TEST(CalibratedSockets, AreOneClassInCampaignsThatDoNotSayWhereRanksWere) {
  const Platform truth = platform_with_sockets({westmere()});
  bench::Campaign campaign = SyntheticSockets(truth, {}).campaign();
  for (bench::Run& run : campaign.runs) run.socket_of.clear();
  const Calibration made = calibrate(campaign);
  EXPECT_FALSE(made.platform.nodes[0].sockets);
  EXPECT_EQ(class_named(made, "inside a node")->pairs, 6U);
  for (bench::Run& run : campaign.runs) run.socket_of.assign(4, bench::kNoSocket);
  EXPECT_EQ(calibrate(campaign).platform, made.platform);
}

// A pair of another run at the same place in the order, but on other sockets, is another pair.
TEST(CalibratedSockets, AreThoseThatRanksWereOnInTheRunOfACell) {
  const Platform truth = platform_with_sockets({westmere()});
  bench::Campaign campaign = SyntheticSockets(truth, {}).campaign();
  const Calibration before = calibrate(campaign);
  const auto exchanged = [](std::uint32_t rank) { return rank == 1 ? 2U : rank == 2 ? 1U : rank; };
  for (bench::Cell& cell : campaign.cells)
    if (cell.run == 2)
      for (std::uint32_t& rank : cell.ranks) rank = exchanged(rank);
  campaign.runs[2].socket_of = {0, 1, 0, 1};
  const Calibration made = calibrate(campaign);
  SCOPED_TRACE(all_notes(made));
  ASSERT_TRUE(made.platform.nodes[0].sockets);
  EXPECT_EQ(class_named(before, "inside a socket")->pairs, 2U);
  EXPECT_EQ(class_named(made, "inside a socket")->pairs, 4U);
  for (const char* const name : {"inside a socket", "across sockets"}) {
    EXPECT_EQ(class_named(made, name)->smallest, class_named(before, name)->smallest) << name;
    EXPECT_EQ(class_named(made, name)->rate, class_named(before, name)->rate) << name;
  }
  EXPECT_THAT(all_notes(made), HasSubstr("in a replay, which fills one socket after the other, they are not"));
}

// --- Several nodes

std::vector<std::optional<Sockets>> like_westmere(std::size_t nodes) {
  return std::vector<std::optional<Sockets>>(nodes, westmere());
}

Noise a_little() { return {.pairs = 0.01, .runs = 0.01, .repetitions = 0.01}; }

TEST(CalibratedSockets, OfAClusterAreSharedByNodesOfOneLayoutAndLeaveItsNetworkAsItWas) {
  const Tree tree{.groups = {4}};
  const Platform between = platform_of(tree), inside = platform_with_sockets(like_westmere(4), {}, between.packets);
  SyntheticMeasurer network(between, {}, 4);
  bench::Campaign campaign = network.campaign();
  SyntheticSockets(inside, {}).measure_into(campaign);
  const Calibration made = calibrate(campaign);
  SCOPED_TRACE(all_notes(made));
  for (const Node& node : made.platform.nodes) {
    ASSERT_TRUE(node.sockets);
    expect_same_sockets(*node.sockets, westmere(), 0.03, 0.1);
    EXPECT_EQ(node.cores, 4U);
  }
  for (const Edge& edge : made.platform.edges) EXPECT_LT(relative(edge.rate, between.edges[0].rate), 0.01);
  const SyntheticMeasurer again(made.platform, {});
  for (std::uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 3)
    EXPECT_LT(relative(again.one_way_ns(0, 1, bytes), network.one_way_ns(0, 1, bytes)), 0.03) << bytes;
  EXPECT_THAT(made.findings, IsEmpty());
}

TEST(CalibratedSockets, AreLeftOutWhereMessagesBetweenNodesWouldBeHeldUpByThem) {
  const Tree tree{.groups = {3}, .link = {5'000'000'000}, .link_latency = microseconds(1)};
  const Platform between = platform_of(tree), inside = platform_with_sockets(like_westmere(3), {}, between.packets);
  bench::Campaign campaign = SyntheticMeasurer(between, {}, 4).campaign();
  SyntheticSockets(inside, {}).measure_into(campaign);
  const Calibration made = calibrate(campaign);
  for (const Node& node : made.platform.nodes) EXPECT_FALSE(node.sockets);
  EXPECT_NE(class_named(made, "across sockets"), nullptr);
  EXPECT_THAT(all_notes(made), HasSubstr("messages between nodes would cross its sockets"));
}

TEST(CalibratedSockets, OfTwoKindsOfNodesAreNotAveraged) {
  Sockets far = westmere();
  far.latency.value = nanoseconds(400);
  const Platform between = platform_of({.groups = {4}});
  bench::Campaign campaign = SyntheticMeasurer(between, a_little(), 4).campaign();
  SyntheticSockets(platform_with_sockets({westmere(), westmere(), far, far}, {}, between.packets), {})
      .measure_into(campaign);
  const Calibration made = calibrate(campaign);
  SCOPED_TRACE(all_notes(made));
  EXPECT_THAT(all_notes(made), HasSubstr("they are 2 groups"));
  for (std::uint32_t node = 0; node < 4; ++node) {
    ASSERT_TRUE(made.platform.nodes[node].sockets);
    EXPECT_LT(relative(made.platform.nodes[node].sockets->latency, (node < 2 ? westmere() : far).latency), 0.15)
        << node;
  }
}

TEST(CalibratedSockets, OfOneNodeThatIsSlowerAreAFindingAndInNoFigure) {
  Sockets far = westmere();
  far.latency.value = nanoseconds(500);
  const Platform between = platform_of({.groups = {6}});
  bench::Campaign campaign = SyntheticMeasurer(between, a_little(), 4).campaign();
  std::vector<std::optional<Sockets>> nodes = like_westmere(6);
  nodes[3] = far;
  SyntheticSockets(platform_with_sockets(nodes, {}, between.packets), a_little()).measure_into(campaign);
  const Calibration made = calibrate(campaign);
  SCOPED_TRACE(all_notes(made));
  ASSERT_EQ(made.findings.size(), 1U);
  EXPECT_EQ(made.findings[0].component, "node n3");
  EXPECT_THAT(made.findings[0].quantity, HasSubstr("across sockets"));
  EXPECT_THAT(all_notes(made), HasSubstr("n3: "));
  for (const Node& node : made.platform.nodes) {
    ASSERT_TRUE(node.sockets);
    EXPECT_EQ(node.sockets, made.platform.nodes[0].sockets);
    EXPECT_LT(node.sockets->latency.value, nanoseconds(100));
  }
}

TEST(CalibratedSockets, NameAPairThatIsSlowerThanTheOthersAcrossThem) {
  const Platform truth = platform_with_sockets({westmere()});
  SyntheticSockets measurer(truth, a_little(), 4);
  measurer.slow_pair(0, 1, 6, 1.5);
  const Calibration made = calibrate(measurer.campaign({.runs = 5}));
  ASSERT_FALSE(made.findings.empty());
  for (const Finding& finding : made.findings) {
    EXPECT_EQ(finding.component, "ranks 1 and 6 of n0") << title(finding);
    EXPECT_EQ(finding.reference, Reference::kPeers);
  }
}

// --- Parts of the way, by hand. Times in ns for a byte.

// Streams there and back slow each other, and nothing stays in the sockets.
CrossingSeen both_ways(CrossingSeen seen, double per_byte) {
  seen.both.push_back({per_byte, per_byte, true});
  return seen;
}

TEST(PartsBetweenSockets, AreTheLinkThatStreamsFillTheSocketsThatBothWaysShareAndTheRest) {
  // 2 · 0.30 (link) + 2 · 0.25 (socket) + 0.10
  const CrossingParts parts = parts_of_crossing(both_ways({.packet = 1.2, .one_way = 0.3}, 0.25));
  EXPECT_NEAR(parts.link.per_byte, 0.3, 1e-12);
  EXPECT_NEAR(parts.socket.per_byte, 0.25, 1e-12);
  EXPECT_NEAR(parts.interconnect.per_byte, 0.1, 1e-12);
  EXPECT_EQ(parts.link.doubt, 0);
  // Or both ways share the interconnect: 2 · 0.30 + 0.25 + 2 · 0.175.
  EXPECT_NEAR(parts.socket.doubt, 0.25 / 0.175 - 1, 1e-9);
  EXPECT_NEAR(parts.interconnect.doubt, 1 - 0.1 / 0.25, 1e-9);
  EXPECT_THAT(parts.note, IsEmpty());
}

// 2 · 0.30 (link) + 2 · 0.25 (socket) + 0.10. Streams in the sockets take a third of them: an interconnect of 0.375
// would have shown in streams one way. But that may itself be the interconnect, and the links be faster; there and back
// of a pair tells.
TEST(PartsBetweenSockets, AreToldApartByAPairAndByWhatStaysInASocketMeanwhile) {
  CrossingSeen seen{.packet = 1.2, .one_way = 0.3, .both = {{.interconnect = 0.375, .socket = 0.25, .slowed = true}}};
  EXPECT_NEAR(parts_of_crossing(seen).socket.per_byte, 0.25, 1e-12);
  EXPECT_EQ(parts_of_crossing(seen).socket.doubt, 0);
  EXPECT_NEAR(parts_of_crossing(seen).link.doubt, 0.5, 1e-9);  // 2 · 0.20 (link) + 2 · 0.25 + 0.30
  seen = both_ways(seen, 0.25);
  const CrossingParts parts = parts_of_crossing(seen);
  EXPECT_NEAR(parts.socket.per_byte, 0.25, 1e-12);
  EXPECT_NEAR(parts.link.per_byte, 0.3, 1e-12);
  EXPECT_NEAR(parts.interconnect.per_byte, 0.1, 1e-12);
  for (const CrossingPart& part : {parts.socket, parts.link, parts.interconnect}) EXPECT_EQ(part.doubt, 0);
}

TEST(PartsBetweenSockets, HaveASlowInterconnectWhereStreamsOfOtherSocketsSlowEachOther) {
  // 2 · 0.30 (link) + 0.26 (interconnect) + 2 · 0.17
  const CrossingParts parts = parts_of_crossing(both_ways({.packet = 1.2, .one_way = 0.3, .apart = 0.26}, 0.26));
  EXPECT_NEAR(parts.interconnect.per_byte, 0.26, 1e-12);
  EXPECT_NEAR(parts.link.per_byte, 0.3, 1e-12);
  EXPECT_NEAR(parts.socket.per_byte, (1.2 - 0.6 - 0.26) / 2, 1e-12);
  EXPECT_EQ(parts.socket.doubt, 0);
}

TEST(PartsBetweenSockets, AreTheInterconnectAloneWhereAPacketIsNoSlowerThanAStream) {
  const CrossingParts parts = parts_of_crossing(both_ways({.packet = 0.3, .one_way = 0.3}, 0.3));
  EXPECT_NEAR(parts.interconnect.per_byte, 0.3, 1e-12);
  EXPECT_EQ(parts.link.per_byte, 0);
  EXPECT_EQ(parts.socket.per_byte, 0);
}

TEST(PartsBetweenSockets, AreNotSlowerThanAMessage) {
  const CrossingParts parts = parts_of_crossing(both_ways({.packet = 0.2, .one_way = 0.3}, 0.3));
  EXPECT_NEAR(parts.interconnect.per_byte, 0.2, 1e-12);
  EXPECT_THAT(parts.note, HasSubstr("faster than streams"));
}

TEST(PartsBetweenSockets, AreAllEqualWhereEachTakesAsLong) {
  const CrossingParts parts = parts_of_crossing(both_ways({.packet = 1.5, .one_way = 0.3}, 0.3));
  for (const CrossingPart& part : {parts.socket, parts.link, parts.interconnect}) {
    EXPECT_NEAR(part.per_byte, 0.3, 1e-12);
    EXPECT_EQ(part.doubt, 0);
  }
}

TEST(PartsBetweenSockets, AreAsFastAsStreamsWhereMessagesTakeLonger) {
  const CrossingParts parts = parts_of_crossing({.packet = 2, .one_way = 0.3});
  for (const CrossingPart& part : {parts.socket, parts.link, parts.interconnect})
    EXPECT_NEAR(part.per_byte, 0.3, 1e-12);
  EXPECT_THAT(parts.note, HasSubstr("longer across sockets"));
}

TEST(PartsBetweenSockets, AreTakenAsEqualWithoutStreams) {
  const CrossingParts parts = parts_of_crossing({.packet = 1});
  for (const CrossingPart& part : {parts.socket, parts.link, parts.interconnect}) {
    EXPECT_NEAR(part.per_byte, 0.2, 1e-12);
    EXPECT_EQ(part.doubt, 1);
  }
}

// Whatever is measured: what streams carried is carried, and a packet takes no longer than it did.
TEST(PartsBetweenSockets, NeverContradictWhatStreamsCarriedNorTakeLongerThanAPacket) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> any(0.05, 2);
  for (int i = 0; i < 2000; ++i) {
    CrossingSeen seen{.packet = any(random), .one_way = any(random)};
    if (random() % 2 == 0) seen = both_ways(seen, any(random));
    if (random() % 2 == 0) seen.both.push_back({any(random), any(random), random() % 2 == 0});
    if (random() % 3 == 0) seen.apart = any(random);
    const CrossingParts parts = parts_of_crossing(seen);
    const double packet = 2 * parts.socket.per_byte + 2 * parts.link.per_byte + parts.interconnect.per_byte;
    EXPECT_LE(packet, seen.packet * (1 + 1e-9));
    for (const CrossingPart& part : {parts.socket, parts.link, parts.interconnect}) {
      EXPECT_GE(part.per_byte, 0);
      EXPECT_LE(part.per_byte, seen.one_way * (1 + 1e-9));
      EXPECT_LE(part.doubt, 1);
    }
  }
}

}  // namespace
}  // namespace plumbline::hw::calibration
