#include "cli/workflows/validate/measure/server_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/workflows/validate/measure/component_findings.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<ServerRates>& servers) {
  std::vector<std::string> names;
  for (const ServerRates& server : servers) names.push_back(server.name);
  return names;
}

TEST(SuspectedServers, AreThoseThatDeliverFarLessThanTheFastestOne) {
  const std::vector<ServerRates> servers{{"s0:/brick", 1.1e6, 1.0e6}, {"s1:/brick", 12.2e6, 12.1e6}};
  EXPECT_THAT(names_of(suspected_servers(servers)), ElementsAre("s0:/brick"));
}

TEST(SuspectedServers, AreSlowInOneDirectionAlone) {
  const std::vector<ServerRates> servers{
      {"s0:/brick", 12e6, 12e6}, {"s1:/brick", 12e6, 5e6}, {"s2:/brick", 11e6, 12e6}};
  EXPECT_THAT(names_of(suspected_servers(servers)), ElementsAre("s1:/brick"));
}

TEST(SuspectedServers, AreNoneWhereAllDeliverAboutTheSameOrNothingWasMeasured) {
  EXPECT_THAT(suspected_servers({{"s0:/brick", 12e6, 12e6}, {"s1:/brick", 9e6, 10e6}}), IsEmpty());
  EXPECT_THAT(suspected_servers({{"s0:/brick", 12e6, 0}}), IsEmpty());
  EXPECT_THAT(suspected_servers({}), IsEmpty());
}

TEST(DirectoryOfServers, IsWhereTheFileSystemBegins) {
  const auto of = [](std::vector<std::string> paths) {
    hw::Platform platform;
    platform.file_systems.resize(1);
    platform.file_systems[0].paths = std::move(paths);
    return directory_of_servers(platform, "/run/shared/validate");
  };
  EXPECT_EQ(of({"/run/shared"}), "/run/shared");
  EXPECT_EQ(of({"/run/shared/validate/"}), "/run/shared/validate");
  EXPECT_EQ(of({"/"}), "/run/shared/validate") << "other file systems lie below it";
  EXPECT_EQ(of({"/scratch"}), "/run/shared/validate");
}

const std::vector<ServerRates> kOneSlow{{"s0:/brick", 1e6, 12e6}, {"s1:/brick", 12e6, 12e6}};

TEST(RetestsOfServers, PersistWhereTheServerIsSlowEachTime) {
  const auto retests =
      retests_of(kOneSlow[0], kOneSlow, {kOneSlow, {{"s1:/brick", 11e6, 12e6}, {"s0:/brick", 2e6, 12e6}}});
  ASSERT_EQ(retests.size(), 1U) << "reading was not slow";
  EXPECT_EQ(retests[0].what, "writing");
  EXPECT_EQ(retests[0].first, 1e6);
  EXPECT_THAT(retests[0].again, ElementsAre(1e6, 2e6));
  EXPECT_THAT(retests[0].twin, ElementsAre(12e6, 12e6, 11e6));
  EXPECT_TRUE(retests[0].persists);
}

TEST(RetestsOfServers, DoNotPersistWhereItIsFastOnceOrNotThere) {
  const std::vector<ServerRates> healthy{{"s0:/brick", 12e6, 12e6}, {"s1:/brick", 12e6, 12e6}};
  EXPECT_FALSE(retests_of(kOneSlow[0], kOneSlow, {kOneSlow, healthy}).front().persists);
  EXPECT_FALSE(retests_of(kOneSlow[0], kOneSlow, {kOneSlow, {healthy[1]}}).front().persists);
}

TEST(RetestsOfServers, PutThatWhichPersistsFirst) {
  const std::vector<ServerRates> both{{"s0:/brick", 1e6, 2e6}, {"s1:/brick", 12e6, 12e6}};
  const std::vector<ServerRates> reading{{"s0:/brick", 12e6, 2e6}, {"s1:/brick", 12e6, 12e6}};
  const auto retests = retests_of(both[0], both, {both, reading});
  ASSERT_EQ(retests.size(), 2U);
  EXPECT_EQ(retests[0].what, "reading");
  EXPECT_TRUE(retests[0].persists);
  EXPECT_FALSE(retests[1].persists);
}

// As a campaign has them: both directions of each server, by all clients at once.
TEST(ServerRates, AreThoseOfTheCampaign) {
  bench::Campaign campaign;
  bench::Run& run = campaign.runs.emplace_back();
  run.mpi = "openmpi";
  run.finished = true;
  for (const auto& [name, seconds] : {std::pair{"s0:/brick", 1.0}, std::pair{"s1:/brick", 0.1}}) {
    bench::Cell cell;
    cell.operation = "storage_calls";
    cell.bytes = 1'000'000;
    cell.words = {{"call", "device-write"}, {"server", name}};
    cell.numbers = {{"clients", 4}, {"servers", 1}};
    cell.seconds.assign(10, seconds);
    cell.flags.assign(10, 0);
    campaign.cells.push_back(cell);
  }
  const std::vector<ServerRates> rates = server_rates(campaign);
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_DOUBLE_EQ(rates[0].write, 4e6);
  EXPECT_DOUBLE_EQ(rates[1].write, 40e6);
  EXPECT_DOUBLE_EQ(rates[0].read, 0);
}

TEST(CostInRun, IsWhatTheReplayWithTheFaultTakesLongerAndNoMoreThanWasObserved) {
  const Duration expected = milliseconds(40);
  EXPECT_DOUBLE_EQ(cost_in_run(milliseconds(50), expected, milliseconds(47)), 0.007);
  EXPECT_DOUBLE_EQ(cost_in_run(milliseconds(50), expected, milliseconds(500)), 0.010) << "caches hid the rest";
  EXPECT_DOUBLE_EQ(cost_in_run(milliseconds(30), expected, milliseconds(500)), 0);
}

}  // namespace
}  // namespace plumbline::cli::validate
