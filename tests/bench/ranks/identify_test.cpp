// Ranks that say who they are, under their own launcher and under that of the other MPI.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/node/consumers.hpp"
#include "base/node/facts.hpp"
#include "base/node/interruptions.hpp"
#include "base/node/rank_identity.hpp"
#include "tests/bench/mpi_job.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using plumbline::test::MpiJob;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What a start of two ranks has left in a directory.
struct Told {
  test::CommandResult result;
  std::vector<node::RankIdentity> ranks;
  std::vector<std::string> files;  // the others
};

class Identify : public testing::TestWithParam<const char*> {
 protected:
  Told told_by(const std::string& launcher_flavour, const std::string& environment = "") const {
    const std::string program = fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam());
    Told told;
    told.result = run_job(MpiJob{launcher_flavour}, fmt::format("env {} {} --identify {} /tmp", environment, program,
                                                                directory_.path().string()));
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path())) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("rank-"))
        told.ranks.push_back(node::identity_from_json(text_of(entry.path()), name));
      else
        told.files.push_back(name);
    }
    std::ranges::sort(told.ranks, {}, &node::RankIdentity::world_rank);
    return told;
  }
  bool is_open() const { return GetParam() == std::string("openmpi"); }

  const test::TemporaryDirectory directory_;
};

// A shell that computes all the time, besides ranks that do while they wait for each other.
TEST_P(Identify, TheProcessesOfOthersAreTold) {
  const pid_t busy = ::fork();
  if (busy == 0) {
    ::execl("/bin/sh", "sh", "-c", "while :; do :; done", nullptr);
    ::_exit(127);
  }
  const Told told = told_by(GetParam());
  ::kill(busy, SIGKILL);
  ::waitpid(busy, nullptr, 0);
  ASSERT_EQ(told.result.status, 0) << told.result.err;
  const auto counters =
      std::ranges::find_if(told.files, [](const auto& name) { return name.starts_with("counters-"); });
  ASSERT_NE(counters, told.files.end());
  const auto seen = node::consumers_in(node::facts_from_json(text_of(directory_ / *counters), *counters));
  const auto shell = std::ranges::find(seen, static_cast<int>(busy), &node::Consumer::process);
  ASSERT_NE(shell, seen.end());
  EXPECT_EQ(shell->command, "sh");
  EXPECT_TRUE(std::ranges::none_of(seen, [](const auto& each) { return node::is_of_launch(each.command); }));
}

TEST_P(Identify, EachRankKnowsItsPlaceAndItsLibrary) {
  const Told told = told_by(GetParam());
  ASSERT_EQ(told.result.status, 0) << told.result.err;
  ASSERT_THAT(told.ranks, SizeIs(2));
  for (std::uint32_t i = 0; i < 2; ++i) {
    const node::RankIdentity& rank = told.ranks[i];
    EXPECT_EQ(rank.world_rank, i);
    EXPECT_EQ(rank.world_size, 2U);
    EXPECT_EQ(rank.flavour, GetParam());
    EXPECT_THAT(rank.library, HasSubstr(is_open() ? "Open MPI" : "MPICH"));
    EXPECT_EQ(rank.launched.at(is_open() ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE"), 2U);
    EXPECT_EQ(rank.thread_level, "single");
    EXPECT_FALSE(rank.affinity.empty());
    EXPECT_GT(rank.cores, 0U);
    EXPECT_EQ(rank.debug, "");
    EXPECT_EQ(rank.session_directory.empty(), !is_open());
  }
  EXPECT_NE(told.ranks[0].process, told.ranks[1].process);
}

// One of the ranks writes them for all.
TEST_P(Identify, TheFactsOfANodeAreThereOnce) {
  const Told told = told_by(GetParam());
  ASSERT_THAT(told.ranks, SizeIs(2));
  const std::string host = told.ranks[0].host;
  EXPECT_THAT(told.files, testing::UnorderedElementsAre("node-" + host + ".json", "counters-" + host + ".json",
                                                        "noise-" + host + ".json", ".node-" + host, ".noise-" + host,
                                                        ".machine-" + told.ranks[0].boot_id));
  const std::filesystem::path path = directory_ / ("node-" + host + ".json");
  const node::Facts facts = node::facts_from_json(text_of(path), path.string());
  EXPECT_EQ(facts.value("kernel.boot_id"), told.ranks[0].boot_id);
  EXPECT_NE(facts.value("mount./tmp.type"), "");
}

// All processors that the job may use, whatever each rank is bound to.
TEST_P(Identify, TheNoiseOfANodeIsTimedOnItsProcessors) {
  const Told told = told_by(GetParam());
  ASSERT_THAT(told.ranks, SizeIs(2));
  const std::filesystem::path path = directory_ / ("noise-" + told.ranks[0].host + ".json");
  const auto noise = node::interruptions_in(node::facts_from_json(text_of(path), path.string()));
  ASSERT_TRUE(noise);
  EXPECT_GE(noise->processors, 1U);
  EXPECT_LE(noise->processors, told.ranks[0].cores);
  EXPECT_LE(noise->usual, noise->worst);
}

// The launcher of the other MPI: Open MPI's processes may end each other over their session directory, but each has
// said before that it was started.
TEST_P(Identify, UnderTheOtherLauncherEachIsRankZeroOfOne) {
  const Told told = told_by(is_open() ? "mpich" : "openmpi");
  ASSERT_THAT(told.ranks, SizeIs(2)) << told.result.err;
  for (const node::RankIdentity& rank : told.ranks) {
    EXPECT_EQ(rank.world_rank, 0U);
    EXPECT_LE(rank.world_size, 1U);
    EXPECT_EQ(rank.launched.at(is_open() ? "PMI_SIZE" : "OMPI_COMM_WORLD_SIZE"), 2U);
  }
}

const node::RankSetting* find_setting(const node::RankIdentity& rank, const std::string& name) {
  const auto found = std::ranges::find(rank.settings, name, &node::RankSetting::name);
  return found == rank.settings.end() ? nullptr : &*found;
}

TEST_P(Identify, SettingsOfTransportsSayWhoHasSetThem) {
  const test::TemporaryDirectory files;
  std::ofstream(files / "params.conf") << "# mine\nio = romio321\npml = ob1\n";
  const Told told = told_by(
      GetParam(), fmt::format("UCX_TLS=tcp,self,sm OMPI_MCA_btl=tcp,self,vader OMPI_MCA_mca_base_param_files={}",
                              (files / "params.conf").string()));
  ASSERT_THAT(told.ranks, SizeIs(2)) << told.result.err;
  const node::RankSetting* tls = find_setting(told.ranks[0], "UCX_TLS");
  ASSERT_NE(tls, nullptr);
  EXPECT_EQ(*tls, (node::RankSetting{"UCX_TLS", "tcp,self,sm", "environment", "UCX_TLS", 0}));
  if (!is_open()) return;
  const node::RankSetting *btl = find_setting(told.ranks[0], "btl"), *pml = find_setting(told.ranks[0], "pml"),
                          *selected = find_setting(told.ranks[0], "pml.selected");
  ASSERT_TRUE(btl != nullptr && pml != nullptr && selected != nullptr);
  EXPECT_EQ(*btl, (node::RankSetting{"btl", "tcp,self,vader", "environment", "OMPI_MCA_btl", 0}));
  EXPECT_EQ(*pml, (node::RankSetting{"pml", "ob1", "file", (files / "params.conf").string(), 3}));
  EXPECT_EQ(selected->value, "ob1");
}

TEST_P(Identify, ADirectoryThatIsNotThereIsAnError) {
  const std::string program = fmt::format("{}/plumbline-bench-ranks-{}", PLUMBLINE_PROGRAMS, GetParam());
  const auto result = run_job(MpiJob{GetParam(), 1}, program + " --identify /no/such/directory");
  EXPECT_NE(result.status, 0);
  EXPECT_THAT(result.err, HasSubstr("/no/such/directory"));
}

INSTANTIATE_TEST_SUITE_P(Mpi, Identify, testing::Values(PLUMBLINE_FLAVOURS),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace plumbline::bench
