// Campaigns on real MPI, both flavours in one.

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>
#include <tuple>

#include "bench/results/campaign_file.hpp"
#include "tests/integration/support.hpp"
#include "tests/support/background.hpp"

namespace plumbline::test {
namespace {

using bench::Campaign;
using bench::Cell;

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

class Bench : public testing::Test {
 protected:
  void SetUp() override {
    for (const Flavour& flavour : flavours())
      if (!flavour.installed()) GTEST_SKIP() << "mpirun." << flavour.name << " is not installed";
  }

  void write(const std::string& text) { std::ofstream(directory_ / "c.toml") << text; }
  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }
  Campaign result() { return bench::read_campaign(directory_ / "r.h5"); }

  TemporaryDirectory directory_;
};

constexpr char kMixed[] = R"(
[campaign]
runs = 2
[settings]
most = 40
budget = "100ms"
[[layout]]
per_node = 2
[[measure]]
operation = "round_trip"
sizes = "0, 1..64KiB*16"
send = ["Send", "Ssend"]
[[measure]]
operation = "bcast"
implementation = ["library", "binomial"]
sizes = [8, "64KiB"]
timing = "global"
isolation = "window"
keep_ranks = true
[[measure]]
operation = "file_write_at"
directory = "."
sizes = "4KiB"
[[measure]]
operation = "memory_copy"
sizes = "4KiB"
)";

// What was measured how often: (mpi, operation, implementation, send, size), without what families add.
std::map<std::tuple<std::string, std::string, std::string, std::string, std::uint64_t>, int> counts_of(
    const Campaign& campaign) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::uint64_t>, int> counts;
  for (const Cell& cell : campaign.cells) {
    const auto send = cell.words.find("send");
    ++counts[{campaign.runs[cell.run].mpi, cell.operation, cell.implementation,
              send == cell.words.end() ? "" : send->second, cell.bytes}];
  }
  return counts;
}

void expect_mixed_campaign(const Campaign& campaign) {
  const auto counts = counts_of(campaign);
  EXPECT_EQ(counts.size(), 2U * (2 * 6 + 2 * 2 + 2));
  for (const auto& [what, count] : counts) EXPECT_EQ(count, 2) << std::get<1>(what) << " " << std::get<4>(what);
}

TEST_F(Bench, MeasuresAMixedCampaignOnBothMpis) {
  write(kMixed);
  const CommandResult done = plumbline("bench c.toml -o r.h5");
  EXPECT_EQ(done.status, 0) << text_of(done);
  const Campaign campaign = result();
  expect_mixed_campaign(campaign);
  ASSERT_EQ(campaign.runs.size(), 4U);
  for (const bench::Run& run : campaign.runs) {
    EXPECT_TRUE(run.finished);
    EXPECT_CONTAINS(run.library, run.mpi == "mpich" ? "MPICH" : "Open MPI");
    EXPECT_EQ(run.hosts.size(), 2U);
    EXPECT_EQ(run.involuntary_switches.size(), 2U);
  }
  for (const Cell& cell : campaign.cells) {
    EXPECT_FALSE(cell.seconds.empty()) << cell.operation;
    EXPECT_EQ(cell.of_ranks.size(), cell.operation == "bcast" ? 2 * cell.seconds.size() : 0U);
  }
  for (const std::string face :
       {"show r.h5", "show r.h5 --cells", "show r.h5 --json", "plot r.h5 --operation bcast -o p.svg"})
    EXPECT_EQ(plumbline("bench " + face).status, 0) << face;
  EXPECT_CONTAINS(plumbline("info r.h5").out, "round_trip, library");
}

TEST_F(Bench, GoesOnWhereItWasKilled) {
  write(kMixed);
  Background killed(kPlumbline + " bench c.toml -o r.h5", directory_.path());
  const std::filesystem::path parts = directory_ / "r.h5.parts";
  const auto second_stream = [&] { return std::filesystem::exists(parts / "00001.stream"); };
  for (int i = 0; i < 2000 && !second_stream() && !killed.has_ended(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_FALSE(killed.has_ended());
  ::kill(killed.pid(), SIGKILL);
  killed.result();
  const CommandResult done = plumbline("bench c.toml -o r.h5 --resume");
  EXPECT_EQ(done.status, 0) << text_of(done);
  expect_mixed_campaign(result());
  EXPECT_FALSE(std::filesystem::exists(parts));
}

TEST_F(Bench, MoreRanksThanCoresAreMeasuredWarnedOfAndMarked) {
  write(
      "[campaign]\nruns = 1\nmpi = \"openmpi\"\n[settings]\nmost = 30\nbudget = 1\n[[layout]]\nper_node = 5\n"
      "[[measure]]\noperation = \"bcast\"\nsizes = 8\n");
  if (std::thread::hardware_concurrency() >= 5) GTEST_SKIP() << "there are cores for five ranks";
  const CommandResult done = plumbline("bench c.toml -o r.h5");
  EXPECT_EQ(done.status, 0) << text_of(done);
  EXPECT_CONTAINS(done.err, "c.toml:7:1: 5 ranks on a node");
  const std::vector<std::string> notes = result().notes;
  const std::string told = "5 ranks share " + std::to_string(std::thread::hardware_concurrency()) + " cores";
  EXPECT_EQ(
      std::count_if(notes.begin(), notes.end(), [&](const std::string& note) { return note.find(told) != note.npos; }),
      1)
      << testing::PrintToString(notes);
}

TEST_F(Bench, TheExamplesAreCampaigns) {
  for (const std::string which : {"", " machine"}) {
    const CommandResult dry =
        plumbline("bench --example" + which + " > c.toml && " + kPlumbline + " bench c.toml --dry-run");
    EXPECT_EQ(dry.status, 0) << text_of(dry);
  }
}

}  // namespace
}  // namespace plumbline::test
