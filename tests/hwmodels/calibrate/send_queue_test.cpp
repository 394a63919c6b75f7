// The queue of the sender, from small messages behind data as the replay has them with and without.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/calibrate/network/send_queue.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/replay/engine/support.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::calibration {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr int kMachines = test::cases(50);
constexpr std::uint64_t kLargeSize = 1'048'576;
const std::vector<std::uint64_t> kSizes = {262'144, kLargeSize};

double in_ns(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

// Rank 0 sends data to rank 1 and, in MPI meanwhile, a small message to rank 2 and back: the schedule of
// bench/ranks/network/queue.cpp. Without data: the small message alone.
replay::ReplayResult replayed(const Platform& platform, std::uint64_t bytes, double late_ns) {
  std::string sender = "rank 0\n", receiver = "rank 1\n";
  if (bytes > 0) {
    sender += fmt::format(" @100ms isend 1 tag 0 {}B -> data\n local MPI_Iprobe +{}ns\n", bytes,
                          static_cast<std::int64_t>(late_ns));
    receiver += fmt::format(" recv 0 tag 0 {}B\n send 0 tag 2 0B\n", bytes);
  }
  sender += bytes > 0 ? " send 2 tag 1 1B\n" : " @100ms send 2 tag 1 1B\n";
  sender += " recv 2 tag 1 1B\n";
  if (bytes > 0) sender += " wait data\n recv 1 tag 2 0B\n";
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  std::string text =
      replay::test::one_rank_per_node(nodes, sender + receiver + "rank 2\n recv 0 tag 1 1B\n send 0 tag 1 1B\n");
  return replay::test::run(replay::test::program_of(text), platform);
}

Beside times_on(const Platform& platform, std::uint64_t bytes, double late_ns) {
  const auto single = replayed(platform, 0, 0), both = replayed(platform, bytes, late_ns);
  const auto &alone = single.times[0], &of_both = both.times[0];
  return {in_ns(alone[1].end - alone[0].begin), in_ns(of_both[3].end - of_both[2].begin),
          in_ns(of_both[5].end - of_both[0].begin), in_ns(of_both[2].begin - of_both[0].begin)};
}

// Of three runs, each of which sends the small message a little sooner or later, whatever sizes there are.
void add_queue(const Platform& truth, const std::vector<std::uint64_t>& sizes, double noise, std::mt19937_64& random,
               bench::Campaign& campaign) {
  std::mt19937_64 of_lateness(random());
  std::normal_distribution<double> normal(0, 1);
  std::uniform_real_distribution<double> trips(4, 6);
  const double trip = 2 * SyntheticMeasurer(truth, {}).one_way_ns(0, 2, 1);
  for (std::uint32_t run = 0; run < 3; ++run) {
    const double of_run = 1 + noise * normal(random), late = trips(of_lateness) * trip;
    for (const std::uint64_t bytes : sizes) {
      const Beside times = times_on(truth, bytes, late);
      for (const auto& [part, ns] :
           std::map<const char*, double>{{"alone", times.alone}, {"behind", times.behind}, {"data", times.data}}) {
        bench::Cell cell = cell_of("queue", part, bytes, {0, 1, 2}, {{"late_ns", times.late}});
        cell.run = run;
        const double of_part = ns * of_run * (1 + noise * normal(random));
        for (int i = 0; i < 6; ++i) cell.seconds.push_back(of_part * 1e-9 * (1 + noise * std::abs(normal(random))));
        cell.flags.assign(cell.seconds.size(), 0);
        campaign.cells.push_back(std::move(cell));
      }
    }
  }
}

Calibration calibrated(const Platform& truth, double noise, std::uint64_t seed,
                       const std::vector<std::uint64_t>& sizes = kSizes, const CampaignOptions& options = {}) {
  std::mt19937_64 random(seed);
  SyntheticMeasurer measurer(truth, {.pairs = noise, .runs = noise, .repetitions = noise, .seed = random()});
  bench::Campaign campaign = measurer.campaign({.contentions = 10, .across = false, .loaded = false});
  if (!sizes.empty()) add_queue(truth, sizes, noise, random, campaign);
  return calibrate(campaign, options);
}

Platform with_queue(Platform platform, std::uint64_t bytes) {
  platform.packets.send_queue.value = {bytes};
  return platform;
}

Platform any_machine(std::mt19937_64& random, std::uint64_t slowest = 10'000'000, std::uint64_t range = 115'000'000) {
  Tree tree;
  tree.groups = {static_cast<std::uint32_t>(3 + random() % 3)};
  tree.link = {slowest + random() % range};
  tree.link_latency = microseconds(static_cast<std::int64_t>(1 + random() % 50));
  tree.packet = {1'000 + random() % 8'000};
  Platform platform = platform_of(tree);
  platform.between.ordered = random() % 2 == 0;
  if (random() % 2 == 0) platform.between.send_buffer.value = {65'536 + random() % 262'144};
  return platform;
}

// A machine on which both sizes tell of queues of 40 to 160 KB.
std::uint64_t any_queue(std::mt19937_64& random) { return 40'000 + random() % 120'000; }

std::string notes_in(const Calibration& made) {
  std::string text;
  for (const std::string& note : made.notes) text += note + "\n";
  return text;
}

double off_by_share(Bytes found, std::uint64_t truth) {
  return std::abs(static_cast<double>(found.count) - static_cast<double>(truth)) / static_cast<double>(truth);
}

// By hand: the small message takes 10 there and 10 back. Data that begins at 0 has arrived at 110, which is known at
// 120; the small one is sent at 40. Behind all of the data it leaves at 100, and is back at 120.
TEST(MessageBesideData, WaitsForNoMoreThanWhatIsLeft) {
  constexpr Beside kBehindAll{20, 80, 120, 40}, kBehindHalf{20, 50, 120, 40}, kBehindNothing{20, 20, 120, 40};
  EXPECT_DOUBLE_EQ(kBehindAll.left(), 60);
  EXPECT_DOUBLE_EQ(kBehindAll.wait(), 60);
  EXPECT_DOUBLE_EQ(kBehindHalf.wait(), 30);
  EXPECT_DOUBLE_EQ(kBehindNothing.wait(), 0);
}

// Packets of 1000 B take 100 us of the cables; the one in service is half served when the small message comes.
TEST(WaitBehindData, IsTheQueueLessHalfAPacket) {
  Platform platform = platform_of({.groups = {3}, .link = {10'000'000}, .packet = {1'000}});
  platform.packets.header = Bytes{0};
  const WaitBehindData model(platform, {0, 1, 2});
  EXPECT_NEAR(model.packet_ns(), 100'000, 100);
  EXPECT_NEAR(model.ns(Bytes{50'000}), 49.5 * 100'000, 2'000);
  EXPECT_NEAR(model.ns(Bytes{49'001}), 49.5 * 100'000, 2'000) << "they are whole packets";
  EXPECT_LT(model.ns(Bytes{0}), 2 * 100'000) << "they take turns";
  const auto found = model.queue_of(49.5 * 100'000, Bytes{kLargeSize});
  ASSERT_TRUE(found);
  EXPECT_NEAR(static_cast<double>(found->count), 49'500, 50);
  EXPECT_FALSE(model.queue_of(49.5 * 100'000, Bytes{20'000})) << "there is not so much data";
}

// Where the interface is slower than its cable, no packet waits there.
TEST(WaitBehindData, IsNoneOfASlowInterfaceWhateverTheQueue) {
  Platform platform = platform_of({.groups = {3}, .link = {10'000'000}, .packet = {1'000}});
  for (Node& node : platform.nodes) node.interface_rate.value = {5'000'000};
  const WaitBehindData model(platform, {0, 1, 2});
  EXPECT_FALSE(model.queue_of(49.5 * 100'000, Bytes{kLargeSize}));
}

TEST(WaitBehindData, IsThatOfAReplayOfTheMeasurement) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    const Platform truth = with_queue(any_machine(random), any_queue(random));
    const WaitBehindData model(truth, {0, 1, 2});
    const double late = 10 * SyntheticMeasurer(truth, {}).one_way_ns(0, 2, 1);
    const Beside times = times_on(truth, kLargeSize, late);
    EXPECT_NEAR(times.wait(), model.ns(truth.packets.send_queue.value), model.packet_ns()) << "seed " << seed << "\n"
                                                                                           << to_xml(truth);
  }
}

// How many are off by more than `most` and a packet.
int beyond(double most, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  int count = 0;
  for (int i = 0; i < kMachines; ++i) {
    const std::uint64_t bytes = any_queue(random);
    const Platform truth = with_queue(any_machine(random), bytes);
    const Calibration made = calibrated(truth, noise, random());
    const Parameter<Bytes>& found = made.platform.packets.send_queue;
    const double packet = static_cast<double>(truth.packets.granularity.count) /
                          static_cast<double>(truth.packets.send_queue.value.count);
    const bool off = off_by_share(found.value, bytes) > most + packet;
    count += off ? 1 : 0;
    EXPECT_LT(off_by_share(found.value, bytes), 0.3)
        << "seed " << seed << ": " << found.value.count << " found of " << bytes << " B\n"
        << to_xml(truth) << notes_in(made);
    EXPECT_GT(found.spread, 0);
    EXPECT_THAT(found.source, HasSubstr("behind data to another node"));
  }
  return count;
}

TEST(CalibratedSendQueue, ComesBackFromReplaysWithoutNoise) {
  const std::uint64_t seed = plumbline::test::random_seed();
  EXPECT_LE(beyond(0.05, 0, seed), kMachines / 25) << "seed " << seed;
}

TEST(CalibratedSendQueue, ComesBackThroughNoise) {
  const std::uint64_t seed = plumbline::test::random_seed();
  EXPECT_LE(beyond(0.1, 0.01, seed), kMachines / 25) << "seed " << seed;
}

TEST(CalibratedSendQueue, IsNotInventedWherePacketsTakeTurns) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < kMachines; ++i) {
    const double noise = 0.01 * static_cast<double>(random() % 4);
    const Platform truth = any_machine(random);
    const Calibration made = calibrated(truth, noise, random());
    EXPECT_EQ(made.platform.packets.send_queue, Parameter<Bytes>{}) << "noise of " << noise << "\n" << to_xml(truth);
    EXPECT_THAT(made.notes,
                Contains(AllOf(HasSubstr("was not seen to hold up"), HasSubstr("where packets take turns"))))
        << notes_in(made);
  }
}

// There most of 256 KiB has left before the small message comes, and would hide what 1 MiB shows. The rate of the
// cables is off by what ranks take for a byte, and the queue is with it.
TEST(CalibratedSendQueue, IsFoundOnFastCablesWhereLargerDataShowsIt) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  int shown = 0;
  for (int i = 0; i < kMachines; ++i) {
    const std::uint64_t bytes = any_queue(random), seed_of_runs = random();
    const Platform truth = with_queue(any_machine(random, 125'000'000, 1'125'000'000), bytes);
    const Calibration larger = calibrated(truth, 0, seed_of_runs, {kLargeSize}),
                      both = calibrated(truth, 0, seed_of_runs);
    if (larger.platform.packets.send_queue == Parameter<Bytes>{}) continue;
    ++shown;
    EXPECT_LT(off_by_share(both.platform.packets.send_queue.value, bytes), 0.3) << bytes << " B\n"
                                                                                << to_xml(truth) << notes_in(both);
  }
  EXPECT_GT(shown, kMachines / 2);
}

Platform star(std::uint64_t queue) { return with_queue(platform_of({.groups = {4}, .packet = {1'500}}), queue); }

TEST(CalibratedSendQueue, IsToldWithWhatItStandsOn) {
  const Calibration made = calibrated(star(110'000), 0, 1);
  EXPECT_LT(off_by_share(made.platform.packets.send_queue.value, 110'000), 0.03) << notes_in(made);
  EXPECT_THAT(made.notes, Contains(AllOf(HasSubstr("what a node sends waits for 1"), HasSubstr("calibrate: 3 runs"),
                                         HasSubstr("2 sizes, 36 repetitions"))))
      << notes_in(made);
  EXPECT_THAT(to_xml(made.platform), HasSubstr("send-queue=\"1"));
}

// Data of 64 KiB is queued whole: it tells that the queue holds as much as was left of it, and no more.
TEST(CalibratedSendQueue, IsAtLeastWhatIsLeftOfDataThatFits) {
  const Calibration made = calibrated(star(300'000), 0, 1, {65'536});
  const Parameter<Bytes>& found = made.platform.packets.send_queue;
  EXPECT_GT(found.value.count, 45'000U) << notes_in(made);
  EXPECT_LE(found.value.count, 66'000U);
  EXPECT_EQ(found.spread, 0) << "not known";
  EXPECT_THAT(found.source, HasSubstr("at least"));
}

// Where one size fits and the other does not, the other one tells.
TEST(CalibratedSendQueue, IsOfTheDataThatDoesNotFit) {
  const Calibration made = calibrated(star(110'000), 0, 1, {65'536, 262'144});
  EXPECT_LT(off_by_share(made.platform.packets.send_queue.value, 110'000), 0.03) << notes_in(made);
  EXPECT_THAT(made.notes, Contains(HasSubstr("(calibrate: 3 runs; 1 sizes")));
}

TEST(CalibratedSendQueue, IsNotKnownWhereItWasNotMeasured) {
  const Calibration made = calibrated(star(110'000), 0, 1, {});
  EXPECT_EQ(made.platform.packets.send_queue, Parameter<Bytes>{});
  EXPECT_THAT(made.notes, Contains(HasSubstr("holds up what it sends a third is not known: `queue` was not measured")));
}

// Data of 1 KiB has left before the small message comes.
TEST(CalibratedSendQueue, IsNotKnownOfDataThatHasLeft) {
  const Calibration made = calibrated(star(110'000), 0, 1, {1'024});
  EXPECT_EQ(made.platform.packets.send_queue, Parameter<Bytes>{});
  EXPECT_THAT(made.notes, Contains(HasSubstr("had left before the small message came"))) << notes_in(made);
}

TEST(CalibratedSendQueue, IsNotLookedForOnTwoNodesNorForLogGP) {
  const Calibration two = calibrate(SyntheticMeasurer(platform_of({.groups = {2}}), {}).campaign({.contentions = 0}));
  EXPECT_THAT(notes_in(two), testing::Not(HasSubstr("sends a third")));
  const Calibration loggp = calibrated(star(110'000), 0, 1, kSizes, {.network = NetworkKind::kLogGP});
  EXPECT_EQ(loggp.platform.packets.send_queue, Parameter<Bytes>{});
}

}  // namespace
}  // namespace plumbline::hw::calibration
