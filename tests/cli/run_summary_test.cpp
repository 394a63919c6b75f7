#include "cli/verbs/info/run_summary.hpp"

#include <gmock/gmock.h>

namespace plumbline::cli {
namespace {

using archive::Definitions;
using testing::HasSubstr;
using testing::Not;

// One process per entry, with these properties.
Definitions run_of(const std::vector<std::map<std::string, std::string>>& processes) {
  Definitions d;
  for (std::uint32_t rank = 0; rank < processes.size(); ++rank) {
    d.location_groups.push_back({d.strings.intern("MPI Rank"), archive::kUndefined, processes[rank]});
    d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
  }
  return d;
}

TEST(RunSummary, WhatAllRanksHaveInCommonIsSaidOnce) {
  const std::map<std::string, std::string> facts = {{"PLUMBLINE::META::mpi.device", "ch4:ucx"}};
  EXPECT_EQ(describe_run(run_of({facts, facts, facts})), "\nrun\n  MPI\n    device  ch4:ucx\n");
}

TEST(RunSummary, WhereRanksDifferTheyAreNamed) {
  const std::map<std::string, std::string> one = {{"PLUMBLINE::HOST", "n0"}}, other = {{"PLUMBLINE::HOST", "n1"}};
  EXPECT_EQ(describe_run(run_of({one, one, other, one})),
            "\nrun\n  placement\n    node  n0  (ranks 0-1,3)\n          n1  (rank 2)\n");
}

TEST(RunSummary, AFactOfOneRankAloneIsItsOwn) {
  const std::map<std::string, std::string> one = {{"PLUMBLINE::META::env.UCX_TLS", "tcp"}}, none = {};
  EXPECT_EQ(describe_run(run_of({none, one})), "\nrun\n  environment\n    UCX_TLS  tcp  (rank 1)\n");
}

TEST(RunSummary, ManyValuesAreCutOff) {
  std::vector<std::map<std::string, std::string>> processes;
  for (int rank = 0; rank < 20; ++rank) processes.push_back({{"PLUMBLINE::AFFINITY", std::to_string(100 + rank)}});
  const std::string text = describe_run(run_of(processes));
  EXPECT_THAT(text, HasSubstr("107  (rank 7)"));
  EXPECT_THAT(text, HasSubstr(".. and 12 more values"));
  EXPECT_THAT(text, Not(HasSubstr("108")));
}

TEST(RunSummary, LinesOfAFileOfSettingsStandBelowEachOther) {
  EXPECT_EQ(describe_run(run_of({{{"PLUMBLINE::META::file.romio_hints", "cb_nodes 2\nstriping_unit 1"}}})),
            "\nrun\n  files of settings\n    romio_hints  cb_nodes 2\n                 striping_unit 1\n");
}

TEST(RunSummary, OfUcxTheSettingsThatAreNotItsDefaultsAreTold) {
  const std::map<std::string, std::string> one = {
      {"PLUMBLINE::META::ucx.settings", "# UCX_TLS=all\nUCX_RNDV_THRESH=32K\n# UCX_SEG_SIZE=8K"}};
  std::map<std::string, std::string> other = one;
  other.begin()->second = "# UCX_TLS=all\n# UCX_RNDV_THRESH=auto\n# UCX_SEG_SIZE=8K";
  EXPECT_EQ(describe_run(run_of({one, other, one})),
            "\nrun\n  MPI\n    UCX settings  3 at their defaults  (rank 1)\n"
            "                  UCX_RNDV_THRESH=32K\n                  2 at their defaults  (ranks 0,2)\n");
}

TEST(RunSummary, FileSystemsAreToldWithTheNumberOfTheirFiles) {
  Definitions d = run_of({{}});
  const auto id = [&](const char* text) { return d.strings.intern(text); };
  for (const char* path : {"/home/a", "/home/b"})
    d.io_files.push_back({id(path),
                          {{id("PLUMBLINE::FILE_SYSTEM"), id("nfs4")},
                           {id("PLUMBLINE::MOUNT_POINT"), id("/home")},
                           {id("PLUMBLINE::MOUNT_SOURCE"), id("nas:/home")},
                           {id("PLUMBLINE::MOUNT_OPTIONS"), id("rw,hard")}}});
  EXPECT_EQ(describe_run(d), "\nrun\n  file systems\n    /home  nfs4 from nas:/home (rw,hard): 2 files\n");
}

TEST(RunSummary, AnArchiveThatSaysNothingOfItsRunHasNone) { EXPECT_EQ(describe_run(run_of({{}})), ""); }

}  // namespace
}  // namespace plumbline::cli
