// Which part of a storage system is called slow.
#include "hwmodels/calibrate/storage/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "hwmodels/calibrate/fit/peers.hpp"
#include "tests/hwmodels/calibrate/synthetic_storage.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> components_of(const SlowStorage& slow) {
  std::vector<std::string> components;
  for (const Finding& finding : slow.findings) components.push_back(finding.component);
  return components;
}

// 200 of 4 to 8 servers or disks, with 1 to 3 % between runs, measured in 1 to 8 runs.
TEST(SlowStorage, IsNotFoundInHealthySystems) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    LikeParts healthy{.seed = seed};
    healthy.parts = static_cast<std::uint32_t>(4 + random() % 5);
    healthy.runs = static_cast<std::uint32_t>(1 + random() % 8);
    healthy.between_runs = 0.01 * static_cast<double>(1 + random() % 3);
    StorageMeasurer measurer(healthy);
    const bench::Campaign campaign = seed % 2 == 0 ? measurer.servers() : measurer.disks();
    EXPECT_THAT(components_of(find_slow_storage(campaign)), IsEmpty()) << "seed " << seed;
  }
}

// Of 6 to 8, in the seven runs that campaigns have by default.
TEST(SlowStorage, IsNamedWhereAServerOrDiskHasHalfTheRateAndNothingElseIs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    LikeParts ill{.seed = seed};
    ill.parts = static_cast<std::uint32_t>(6 + random() % 3);
    ill.between_runs = 0.01 * static_cast<double>(1 + random() % 3);
    ill.slow = static_cast<std::uint32_t>(random() % ill.parts);
    const std::string number = std::to_string(*ill.slow);
    const SlowStorage servers = find_slow_storage(StorageMeasurer(ill).servers());
    ASSERT_THAT(components_of(servers), ElementsAre("server s" + number + ":/brick"));
    EXPECT_NEAR(servers.findings[0].severity, 1, 0.15);
    EXPECT_LE(servers.findings[0].p, 0.001);
    EXPECT_EQ(servers.findings[0].samples, 7U) << "runs, not repetitions";
    const SlowStorage disks = find_slow_storage(StorageMeasurer(ill).disks());
    ASSERT_THAT(components_of(disks), ElementsAre("disk of n" + number));
    EXPECT_THAT(disks.findings[0].quantity, HasSubstr("device-read of 1 MiB in place"));
    const SlowStorage clients = find_slow_storage(StorageMeasurer(ill).clients());
    EXPECT_THAT(components_of(clients), ElementsAre("client on n" + number));
  }
}

// How much four or five healthy parts differ is hardly known from the others: half the rate is told of, and mostly as
// not certain.
TEST(SlowStorage, OfFourOrFivePartsIsNotedWhereItIsNotCertain) {
  for (const std::uint32_t parts : {4U, 5U}) {
    int certain = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(testing::Message() << parts << " servers, seed " << seed);
      const SlowStorage slow = find_slow_storage(StorageMeasurer({.parts = parts, .slow = 2, .seed = seed}).servers());
      if (slow.findings.empty()) {
        EXPECT_THAT(slow.notes, Contains(AllOf(HasSubstr("server s2:/brick looks slow"),
                                               HasSubstr("more runs or more servers would tell"))));
      } else {
        EXPECT_THAT(components_of(slow), ElementsAre("server s2:/brick"));
        ++certain;
      }
    }
    std::printf("of %u servers one at half the rate is certain in %d of 20\n", parts, certain);
  }
}

TEST(SlowStorage, CannotBeToldFromOneRunHoweverManyRepetitionsItHas) {
  LikeParts ill{.parts = 6, .runs = 1, .repetitions = 1000, .slow = 2};
  const SlowStorage servers = find_slow_storage(StorageMeasurer(ill).servers());
  EXPECT_THAT(servers.findings, IsEmpty());
  EXPECT_THAT(servers.notes,
              ElementsAre("storage of /data: whether one of 6 servers is slower than the others cannot be told from 1 "
                          "run, for the repetitions of a run are not independent: measure 4 runs or more (runs = 4 in "
                          "[campaign])"));
  EXPECT_THAT(find_slow_storage(StorageMeasurer(ill).disks()).notes, SizeIs(1)) << "of all classes together";
  ill.runs = 4;
  EXPECT_THAT(find_slow_storage(StorageMeasurer(ill).servers()).notes, IsEmpty());
}

TEST(SlowStorage, OfTwoPartsCannotBeTold) {
  const SlowStorage slow = find_slow_storage(StorageMeasurer({.parts = 2, .slow = 1}).servers());
  EXPECT_THAT(slow.findings, IsEmpty());
  EXPECT_THAT(slow.notes, ElementsAre("storage of /data: of 2 servers nobody can say which one is slow: it takes 3"));
  EXPECT_THAT(find_slow_storage(StorageMeasurer({.parts = 1}).servers()).notes, IsEmpty());
}

// What others did to a run is not what the server is.
TEST(SlowStorage, IsNotFoundByRunsThatOthersDisturbed) {
  bench::Campaign campaign = StorageMeasurer({.runs = 9, .slow = 2}).servers();
  for (std::uint32_t run = 0; run < 6; ++run) campaign.runs[run].disturbances = {"a load of 3.0 by others"};
  const SlowStorage slow = find_slow_storage(campaign);
  EXPECT_THAT(slow.findings, IsEmpty());
  EXPECT_THAT(slow.notes, Contains(HasSubstr("cannot be told from 3 runs")));
}

TEST(SlowStorage, TakesNoFlaggedRepetitionAndNoNumberThatIsNone) {
  bench::Campaign campaign = StorageMeasurer({.parts = 6}).servers();
  for (bench::Cell& cell : campaign.cells) {
    if (cell.words[bench::cells::kServer] != "s2:/brick") continue;
    for (const double wrong : {0.0, -1.0, std::nan("")}) cell.seconds.insert(cell.seconds.end(), 20, wrong);
    cell.flags.resize(cell.seconds.size(), 0);
    cell.seconds.insert(cell.seconds.end(), 100, 10.0);
    cell.flags.resize(cell.seconds.size(), 1);
  }
  EXPECT_THAT(find_slow_storage(campaign).findings, IsEmpty());
}

// Clients are who they are by host and number there, whichever rank a launcher made them.
TEST(SlowStorage, OfAClientIsFoundWhicheverRankItIs) {
  bench::Campaign campaign = StorageMeasurer({.parts = 6, .slow = 5}).clients();
  for (std::uint32_t run = 1; run < campaign.runs.size(); run += 2) {
    std::vector<std::string>& hosts = campaign.runs[run].hosts;
    std::rotate(hosts.begin(), hosts.begin() + 2, hosts.end());
    for (bench::Cell& cell : campaign.cells)
      if (cell.run == run) cell.ranks = {4, 5, 0, 1, 2, 3};
  }
  EXPECT_THAT(components_of(find_slow_storage(campaign)), ElementsAre("client on n5"));
}

TEST(RunsOfPeers, AreAsManyAsTheRankSumTestNeeds) {
  EXPECT_EQ(fewest_runs(2), 0U);
  EXPECT_EQ(fewest_runs(3), 5U);   // 3 / C(15, 5) = 0.000999
  EXPECT_EQ(fewest_runs(5), 5U);   // 5 / C(20, 4) = 0.00103
  EXPECT_EQ(fewest_runs(6), 4U);   // 6 / C(24, 4) = 0.00056
  EXPECT_EQ(fewest_runs(15), 4U);  // 15 / C(45, 3) = 0.00106
  EXPECT_EQ(fewest_runs(16), 3U);  // 16 / C(48, 3) = 0.00093
  EXPECT_EQ(fewest_runs(500), 3U);
  EXPECT_EQ(fewest_runs(501), 2U);
}

}  // namespace
}  // namespace plumbline::hw::calibration
