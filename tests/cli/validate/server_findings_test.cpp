#include "cli/workflows/validate/server_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::cli::validate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names_of(const std::vector<ServerRate>& servers) {
  std::vector<std::string> names;
  for (const ServerRate& server : servers) names.push_back(server.name);
  return names;
}

TEST(SuspectedServers, AreThoseThatDeliverFarLessThanTheFastestOne) {
  const std::vector<ServerRate> servers{{"s0:/brick", 1.1e6, 1.0e6}, {"s1:/brick", 12.2e6, 12.1e6}};
  EXPECT_THAT(names_of(suspected_servers(servers)), ElementsAre("s0:/brick"));
}

TEST(SuspectedServers, AreSlowInOneDirectionAlone) {
  const std::vector<ServerRate> servers{{"s0:/brick", 12e6, 12e6}, {"s1:/brick", 12e6, 5e6}, {"s2:/brick", 11e6, 12e6}};
  EXPECT_THAT(names_of(suspected_servers(servers)), ElementsAre("s1:/brick"));
}

TEST(SuspectedServers, AreNoneWhereAllDeliverAboutTheSameOrNothingWasMeasured) {
  EXPECT_THAT(suspected_servers({{"s0:/brick", 12e6, 12e6}, {"s1:/brick", 9e6, 10e6}}), IsEmpty());
  EXPECT_THAT(suspected_servers({{"s0:/brick", 12e6, 0}}), IsEmpty());
  EXPECT_THAT(suspected_servers({}), IsEmpty());
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
  const std::vector<ServerRate> rates = server_rates(campaign);
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_DOUBLE_EQ(rates[0].write, 4e6);
  EXPECT_DOUBLE_EQ(rates[1].write, 40e6);
  EXPECT_DOUBLE_EQ(rates[0].read, 0);
}

}  // namespace
}  // namespace plumbline::cli::validate
