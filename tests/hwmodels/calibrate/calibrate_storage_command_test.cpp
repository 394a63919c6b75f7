// `plumbline calibrate` from the file of a campaign that measured storage alone, as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/output.hpp"
#include "bench/results/campaign_file.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/hwmodels/calibrate/synthetic_storage.hpp"
#include "tests/support/command.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::hw::calibration {
namespace {

using test::CommandResult;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Servers by name, and the bracket that one client alone saw.
bench::Campaign storage_campaign(const LikeParts& servers) {
  bench::Campaign campaign = StorageMeasurer(servers).servers();
  TimeNoise noise(servers.seed, 0.02);
  for (std::uint32_t run = 0; run < servers.runs; ++run) {
    bench::Campaign bracket;
    add_bracket_cells(noise, bracket);
    for (bench::Cell& cell : bracket.cells) {
      cell.run = run;
      campaign.cells.push_back(std::move(cell));
    }
  }
  return campaign;
}

template <class T>
void expect_assumed(const Parameter<T>& parameter) {
  EXPECT_THAT(parameter.source, StartsWith("assumed"));
  EXPECT_EQ(parameter.spread, 1);
}

class CalibrateStorage : public testing::Test {
 protected:
  CommandResult calibrate(const bench::Campaign& campaign, const std::string& options) {
    bench::write_campaign(campaign, directory_ / "storage.h5", Overwrite::kYes);
    return test::run_command(std::string(PLUMBLINE_COMMAND) + " calibrate storage.h5 -o made.xml " + options,
                             directory_.path().string());
  }
  Platform made() const { return read_platform(directory_ / "made.xml"); }

  test::TemporaryDirectory directory_;
};

TEST_F(CalibrateStorage, AloneGivesAPlatformInWhichTheRestIsAssumed) {
  bench::Campaign campaign = storage_campaign({.parts = 6});
  std::erase_if(campaign.cells, [](const bench::Cell& cell) { return cell.words.contains(bench::cells::kServer); });
  for (bench::Run& run : campaign.runs) run.hosts.resize(1), run.node_of.resize(1);
  const CommandResult result = calibrate(campaign, "");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("note: only storage was measured: messages and memory are assumed"),
                                HasSubstr("data: cached write ")));
  const Platform platform = made();
  ASSERT_EQ(platform.nodes.size(), 1U);
  EXPECT_EQ(platform.nodes[0].name, "n0");
  expect_assumed(platform.nodes[0].memory_rate);
  ASSERT_EQ(platform.inside.ranges.size(), 1U);
  expect_assumed(platform.inside.ranges[0].send);
  expect_assumed(platform.inside.ranges[0].latency);
  EXPECT_TRUE(platform.edges.empty());
  ASSERT_EQ(platform.file_systems.size(), 1U);
  EXPECT_THAT(platform.file_systems[0].cached_write.rate.source, StartsWith("calibrate: 7 runs"));
}

TEST_F(CalibrateStorage, OfServersJoinsThemByANetworkThatDoesNotCount) {
  const CommandResult result = calibrate(storage_campaign({.parts = 6, .slow = 4}), "");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("slower than it should be: server s4:/brick: "),
                                HasSubstr("limits what it delivers was not measured"),
                                HasSubstr("messages, memory and the network are assumed")));
  const Platform platform = made();
  EXPECT_EQ(platform.nodes.size(), 12U) << "6 clients, 6 servers";
  EXPECT_EQ(platform.servers.size(), 6U);
  ASSERT_EQ(platform.edges.size(), 12U);
  expect_assumed(platform.edges[0].rate);
  expect_assumed(platform.edges[0].latency);
  expect_assumed(platform.switches.at(0).rate);
  expect_assumed(platform.between.ranges.at(0).latency);
  EXPECT_NEAR(static_cast<double>(platform.servers[4].device.flash->read_rate.value.count), 40e6, 0.1 * 40e6);
}

TEST_F(CalibrateStorage, IsPutIntoAPlatformWhereAllElseStays) {
  Platform cluster = platform_of({.groups = {6}});
  for (const auto& [name, path] : {std::pair{"scratch", "/data"}, std::pair{"home", "/home"}}) {
    FileSystem& file_system = cluster.file_systems.emplace_back();
    file_system.name = name;
    file_system.paths = {path};
    for (AccessCost* const cost :
         {&file_system.cached_write, &file_system.cached_read, &file_system.device_write, &file_system.device_read})
      *cost = {{microseconds(3), 0.1, "by hand"}, {{1'000'000'000}, 0.1, "by hand"}};
  }
  write_file(directory_ / "cluster.xml", to_xml(cluster), Overwrite::kYes);
  const CommandResult result = calibrate(storage_campaign({.parts = 6}), "--add-to cluster.xml");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("note: file system 'scratch' is replaced by what was measured of /data"),
                                Not(HasSubstr("assumed"))));
  Platform platform = made();
  EXPECT_EQ(platform.servers.size(), 6U);
  ASSERT_EQ(platform.file_systems.size(), 2U);
  EXPECT_EQ(platform.file_systems[0], cluster.file_systems[1]) << "home";
  EXPECT_EQ(platform.file_systems[1].name, "scratch");
  EXPECT_NE(platform.file_systems[1].cached_write, cluster.file_systems[0].cached_write);
  ASSERT_EQ(platform.nodes.size(), 12U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(platform.nodes[i], cluster.nodes[i]);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(platform.edges[i].rate, cluster.edges[i].rate);
  EXPECT_EQ(platform.inside, cluster.inside);
  EXPECT_EQ(platform.between, cluster.between);
  EXPECT_EQ(platform.packets, cluster.packets);

  // Again into what was made: nothing is there twice.
  std::filesystem::rename(directory_ / "made.xml", directory_ / "cluster.xml");
  EXPECT_EQ(calibrate(storage_campaign({.parts = 6}), "--add-to cluster.xml").status, 0);
  EXPECT_EQ(made(), platform);
}

TEST_F(CalibrateStorage, SaysWhatItIsNot) {
  write_file(directory_ / "cluster.xml", to_xml(platform_of({.groups = {4}})), Overwrite::kYes);
  const bench::Campaign campaign = storage_campaign({.parts = 3, .runs = 1});
  for (const char* const options :
       {"--add-to cluster.xml --nominal cluster.xml", "--add-to cluster.xml --network loggp", "--nominal cluster.xml",
        "--network loggp"}) {
    const CommandResult result = calibrate(campaign, options);
    EXPECT_EQ(result.status, 2) << options << result.err;
  }
  EXPECT_EQ(calibrate(campaign, "").status, 0);
  EXPECT_NE(calibrate(campaign, "--add-to made.xml --force").status, 0) << "no input is replaced";

  const CommandResult network = calibrate(
      SyntheticMeasurer(platform_of({.groups = {4}}), {}).campaign({.trains = false}), "--force --add-to cluster.xml");
  EXPECT_EQ(network.status, 5);
  EXPECT_THAT(network.err, HasSubstr("the campaign measured nothing of storage"));

  bench::Campaign little = campaign;
  std::erase_if(little.cells, [](const bench::Cell& cell) { return cell.bytes == 65'536 || cell.bytes == 1U << 20; });
  const CommandResult few = calibrate(little, "--force");
  EXPECT_EQ(few.status, 5);
  EXPECT_THAT(few.err, HasSubstr("the campaign measured too little of storage: storage of /data: no file system was "
                                 "made of it: three sizes of"));
}

// Runs that others disturbed, not runs whose ranks shared cores, are left out.
TEST_F(CalibrateStorage, LeavesOutWhatOthersDisturbedAndMarksThatRanksSharedCores) {
  bench::Campaign campaign = storage_campaign({.parts = 6});
  for (bench::Run& run : campaign.runs) {
    run.bindings.assign(run.node_of.size(), "0-1");
    run.boots.assign(run.node_of.size(), "one");
  }
  campaign.runs[3].disturbances = {"a load of 3.0 by others while the ranks measured"};
  for (bench::Cell& cell : campaign.cells)
    if (cell.run == 3)
      for (double& seconds : cell.seconds) seconds *= 10;
  const CommandResult result = calibrate(campaign, "");
  EXPECT_EQ(result.status, 0) << result.err << result.out;
  EXPECT_THAT(result.out, HasSubstr("run 3: a load of 3.0 by others while the ranks measured: left out"));
  EXPECT_THAT(made().file_systems.at(0).open.source, StartsWith("calibrate: 6 runs (ranks shared cores)"));
}

}  // namespace
}  // namespace plumbline::hw::calibration
