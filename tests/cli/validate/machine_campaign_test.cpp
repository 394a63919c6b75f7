#include "cli/workflows/validate/measure/machine_campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

MachineCampaign on(std::uint32_t nodes, std::uint32_t per_node, Level level = Level::kQuick) {
  MachineCampaign campaign;
  campaign.mpi = "mpich";
  campaign.level = level;
  campaign.directory = "/scratch";
  campaign.layout.nodes = nodes;
  campaign.layout.per_node = per_node;
  for (std::uint32_t node = 0; nodes > 1 && node < nodes; ++node)
    campaign.layout.hosts.push_back("n" + std::to_string(node));
  return campaign;
}

// Ranks on each node, of each layout.
std::vector<std::int64_t> layouts_of(const MachineCampaign& campaign) {
  std::vector<std::int64_t> per_node;
  const toml::table file = toml::parse(text_of(campaign));
  for (const toml::node& layout : *file["layout"].as_array())
    per_node.push_back(*(*layout.as_table())["per_node"].value<std::int64_t>());
  return per_node;
}

double file_mib_of(const MachineCampaign& campaign) {
  const toml::table file = toml::parse(text_of(campaign));
  for (const toml::node& measure : *file["measure"].as_array())
    if (const auto mib = (*measure.as_table())["file_mib"].value<double>()) return *mib;
  return 0;
}

TEST(MachineCampaign, MeasuresNodesOfOneRankOnce) { EXPECT_THAT(layouts_of(on(8, 1)), ElementsAre(1)); }

TEST(MachineCampaign, MeasuresNodesOfSeveralRanksWithOneAndWithTwo) {
  EXPECT_THAT(layouts_of(on(8, 16)), ElementsAre(1, 2));
}

TEST(MachineCampaign, MeasuresTheQueueOfTheSenderOfThreeNodesAndMore) {
  EXPECT_THAT(text_of(on(2, 1)), Not(HasSubstr("\"queue\"")));
  EXPECT_THAT(text_of(on(3, 1)), HasSubstr("operation = \"queue\"\nsizes = \"512KiB\""));
}

TEST(MachineCampaign, LeavesTheLayoutToALauncherOfTheSite) {
  MachineCampaign campaign = on(4, 8);
  campaign.layout.launcher = {"srun", "-n", "32"};
  EXPECT_THAT(layouts_of(campaign), ElementsAre(8));
  EXPECT_THAT(text_of(campaign), HasSubstr("launcher = \"srun -n 32\""));
  EXPECT_THAT(text_of(campaign), Not(HasSubstr("hosts =")));
}

TEST(MachineCampaign, FillsFilesInTheTimeForIt) {
  MachineCampaign campaign = on(8, 1);
  campaign.write_rate = 12.5e6;  // 3 s of 12.5 MB/s are 35.8 MiB, of which 16 files have 2.2 each
  EXPECT_EQ(file_mib_of(campaign), 2);
  campaign.write_rate = 60e6;  // 171.7 MiB, 10.7 each
  EXPECT_EQ(file_mib_of(campaign), 10);
  campaign.write_rate = 5e9;
  EXPECT_EQ(file_mib_of(campaign), 32) << "more is not needed";
  campaign.write_rate = 0;
  EXPECT_EQ(file_mib_of(campaign), 32) << "not known";
  campaign.write_rate = 1e3;
  EXPECT_EQ(file_mib_of(campaign), 2) << "as little as accesses of 1 MiB can be told apart on";
}

TEST(MachineCampaign, OfALongerLevelFillsMore) {
  MachineCampaign campaign = on(8, 1, Level::kDefault);
  campaign.write_rate = 12.5e6;
  EXPECT_EQ(file_mib_of(campaign), 7);
}

std::size_t sizes_of(const toml::table& measure) {
  const toml::array* const several = measure["sizes"].as_array();
  return several == nullptr ? 1 : several->size();
}

// Fewer than three sizes of an access make no file system (hwmodels/calibrate).
TEST(MachineCampaign, MeasuresStorageAtThreeSizesOfEveryLevelAndSingleServersAtOne) {
  for (const Level level : {Level::kQuick, Level::kDefault, Level::kFull}) {
    const toml::table file = toml::parse(text_of(on(8, 1, level)));
    std::size_t sizes = 0, of_servers = 0;
    for (const toml::node& node : *file["measure"].as_array()) {
      const toml::table& measure = *node.as_table();
      if (measure["operation"].value<std::string>() != "storage_calls") continue;
      sizes += sizes_of(measure);
      if (measure["servers"].value<std::string>() == "yes") of_servers += sizes_of(measure);
    }
    EXPECT_GE(sizes, 3U) << word(level);
    EXPECT_EQ(of_servers, 1U) << word(level);
  }
}

TEST(WriteRate, IsOfADirectoryThatCanBeWritten) {
  const test::TemporaryDirectory directory;
  EXPECT_GT(write_rate(directory.path(), 1 << 20), 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path())) << "nothing is left";
  EXPECT_EQ(write_rate(directory.path() / "absent", 1 << 20), 0);
}

}  // namespace
}  // namespace plumbline::cli::validate
