// Whether connections are ordered, from exchanges as the replay has them with and without.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/calibrate/network/order.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/replay/engine/support.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::calibration {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

constexpr std::uint64_t kSizes[] = {262'144, 1'048'576};

// The schedule of bench/ranks/network/order.cpp. Rank 0 leads and comes late, so that rank 1 waits for it.
replay::Program program_of_part(const std::string& part, std::uint64_t bytes) {
  const auto both = [&](int peer) {
    return fmt::format(" sendrecv to {0} tag 0 {1}B from {0} tag 0 {1}B\n", peer, bytes);
  };
  std::string leader = " @100ms" + both(1), other = both(0);
  if (part == "inside") leader = " @99ms local MPI_Iprobe +1ms\n" + both(1);
  if (part == "alone") {
    leader = fmt::format(" @100ms send 1 tag 0 {}B\n", bytes);
    other = fmt::format(" recv 0 tag 0 {}B\n", bytes);
  }
  return replay::test::two_ranks(leader + " recv 1 tag 1 0B\n", other + " send 0 tag 1 0B\n");
}

double replayed_ns(const Platform& platform, const std::string& part, std::uint64_t bytes) {
  const auto result = replay::test::run(program_of_part(part, bytes), platform);
  const auto& times = result.times[0];
  return static_cast<double>((times.back().end - times[times.size() - 2].begin).ps) / 1000;
}

// Of three runs, in which all three parts share what makes the run another one than the next.
void add_order(const Platform& truth, double noise, std::mt19937_64& random, bench::Campaign& campaign) {
  std::normal_distribution<double> normal(0, 1);
  std::map<std::pair<std::uint64_t, std::string>, double> replayed;
  for (std::uint32_t run = 0; run < 3; ++run) {
    const double of_run = 1 + noise * normal(random);
    for (const std::uint64_t bytes : kSizes) {
      for (const char* const part : {"alone", "apart", "inside"}) {
        const auto [known, is_new] = replayed.try_emplace({bytes, part});
        if (is_new) known->second = replayed_ns(truth, part, bytes);
        bench::Cell cell = cell_of("order", part, bytes, {0, 1});
        cell.run = run;
        const double ns = known->second * of_run * (1 + noise * normal(random));
        for (int i = 0; i < 6; ++i) cell.seconds.push_back(ns * 1e-9 * (1 + noise * std::abs(normal(random))));
        cell.flags.assign(cell.seconds.size(), 0);
        campaign.cells.push_back(std::move(cell));
      }
    }
  }
}

Calibration calibrated(const Platform& truth, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  SyntheticMeasurer measurer(truth, {.pairs = noise, .runs = noise, .repetitions = noise, .seed = random()});
  bench::Campaign campaign = measurer.campaign({.contentions = 10, .across = false, .loaded = false});
  add_order(truth, noise, random, campaign);
  return calibrate(campaign);
}

Platform any_machine(std::mt19937_64& random, bool ordered) {
  Tree tree;
  tree.groups = {static_cast<std::uint32_t>(2 + random() % 3)};
  tree.link = {10'000'000 + random() % 115'000'000};
  tree.link_latency = microseconds(static_cast<std::int64_t>(1 + random() % 100));
  tree.packet = {1'000 + random() % 8'000};
  Platform platform = platform_of(tree);
  platform.between.ordered = ordered;
  if (random() % 2 == 0) platform.between.send_buffer.value = {65'536 + random() % 262'144};
  return platform;
}

std::string notes_in(const Calibration& made) {
  std::string text;
  for (const std::string& note : made.notes) text += note + "\n";
  return text;
}

// By hand: an empty message takes 10 one way, data 100 more than one. Alone: request, answer, data, and an empty one
// back, 10 + 10 + 110 + 10.
TEST(ExchangeInOrder, TakesLongerByTheDataLessAnAnswer) {
  constexpr Exchange kInOrder{140, 140, 240, 10}, kPassing{140, 140, 140, 10};
  EXPECT_DOUBLE_EQ(kInOrder.wait(), 100);
  EXPECT_DOUBLE_EQ(kInOrder.share(), 1);
  EXPECT_DOUBLE_EQ(kPassing.share(), 0);
}

TEST(ExchangeInOrder, IsLongerInTheReplayByWhatCalibrationExpects) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    Platform truth = any_machine(random, true);
    const double control = SyntheticMeasurer(truth, {}).one_way_ns(0, 1, 0);
    for (const bool ordered : {true, false}) {
      truth.between.ordered = ordered;
      for (const std::uint64_t bytes : kSizes) {
        const auto ns = [&](const char* part) { return replayed_ns(truth, part, bytes); };
        const Exchange times{ns("alone"), ns("apart"), ns("inside"), control};
        EXPECT_NEAR(times.share(), ordered ? 1 : 0, 0.2) << "seed " << seed << "\n" << to_xml(truth);
        EXPECT_NEAR(times.apart / times.alone, 1, 0.1) << "seed " << seed;
      }
    }
  }
}

struct Answers {
  int right = 0, wrong = 0;
  std::string not_right = {};  // what calibrations said that were not
};

Answers answers_on(int machines, bool ordered, double noise, std::mt19937_64& random) {
  Answers answers;
  for (int i = 0; i < machines; ++i) {
    const Platform truth = any_machine(random, ordered);
    const Calibration made = calibrated(truth, noise, random());
    const std::string notes = notes_in(made);
    const bool is_known = notes.find("stay in order is not known") == std::string::npos;
    const bool is_right = is_known && made.platform.between.ordered == ordered;
    answers.right += is_right ? 1 : 0;
    answers.wrong += made.platform.between.ordered && !ordered ? 1 : is_known && !is_right ? 1 : 0;
    if (!is_right) answers.not_right += notes + "\n";
  }
  return answers;
}

// Of three runs that differ by 3 % the answer is sometimes that it is not known; it is never the wrong one.
TEST(CalibratedOrder, IsFoundOnMachinesThatHaveItAndOnNoOthers) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  constexpr int kMachines = 50, kKnown = 45;
  for (const bool ordered : {true, false}) {
    const Answers quiet = answers_on(kMachines, ordered, 0.01, random);
    EXPECT_EQ(quiet.right, kMachines) << quiet.not_right;
    const Answers noisy = answers_on(kMachines, ordered, 0.03, random);
    EXPECT_GE(noisy.right, kKnown) << noisy.not_right;
    EXPECT_EQ(noisy.wrong, 0) << noisy.not_right;
  }
}

TEST(CalibratedOrder, IsToldWithWhatItStandsOn) {
  std::mt19937_64 random(1);
  const Calibration made = calibrated(any_machine(random, true), 0, 1);
  EXPECT_THAT(made.notes, Contains(AllOf(HasSubstr("stay in order (calibrate: 3 runs: "), HasSubstr(" ± 0.0"),
                                         HasSubstr("of the data; 2 sizes, 36 repetitions"))))
      << notes_in(made);
  EXPECT_THAT(to_xml(made.platform), HasSubstr("<between ordered=\"yes\""));
}

Platform star_of(bool ordered) {
  Platform platform = platform_of({.groups = {4}});
  platform.between.ordered = ordered;
  return platform;
}

// An exchange takes twice the time anyway.
TEST(CalibratedOrder, IsNotKnownOnHalfDuplexCables) {
  for (const bool ordered : {true, false}) {
    Platform truth = star_of(ordered);
    for (Edge& edge : truth.edges) edge.half_duplex = true;
    const Calibration made = calibrated(truth, 0.01, 7);
    EXPECT_FALSE(made.platform.between.ordered);
    EXPECT_THAT(made.notes, Contains(HasSubstr("stay in order is not known: both directions"))) << notes_in(made);
  }
}

TEST(CalibratedOrder, IsNotKnownWhereNoMessageWaits) {
  Platform truth = platform_of({.groups = {4}, .eager = Bytes{1 << 22}});
  truth.between.ordered = true;
  const Calibration made = calibrated(truth, 0.01, 7);
  EXPECT_FALSE(made.platform.between.ordered);
  EXPECT_THAT(made.notes, Contains(HasSubstr("has no message that waits"))) << notes_in(made);
}

TEST(CalibratedOrder, IsNotKnownWhereItWasNotMeasured) {
  const Calibration made = calibrate(SyntheticMeasurer(star_of(true), {}).campaign({.contentions = 10}));
  EXPECT_FALSE(made.platform.between.ordered);
  EXPECT_THAT(made.notes, Contains(HasSubstr("`order` was not measured"))) << notes_in(made);
}

// What is half-way between both is neither.
TEST(CalibratedOrder, IsNotKnownWhereNeitherFits) {
  const Platform truth = star_of(true);
  std::mt19937_64 random(3);
  bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign({.contentions = 10});
  add_order(truth, 0, random, campaign);
  std::map<std::pair<std::uint32_t, std::uint64_t>, double> apart;
  for (bench::Cell& cell : campaign.cells) {
    if (cell.operation != "order") continue;
    if (cell.words.at("part") == "apart") apart[{cell.run, cell.bytes}] = cell.seconds.front();
    if (cell.words.at("part") != "inside") continue;
    for (double& each : cell.seconds) each = (each + apart.at({cell.run, cell.bytes})) / 2;
  }
  const Calibration made = calibrate(campaign);
  EXPECT_FALSE(made.platform.between.ordered);
  EXPECT_THAT(made.notes, Contains(HasSubstr("neither all of it nor nothing"))) << notes_in(made);
}

}  // namespace
}  // namespace plumbline::hw::calibration
