// The suite's program is a script here that finds wrong data as the real one says it.

#include "cli/workflows/validate/causes/wrong_data_causes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/workflows/validate/measure/rule_layouts.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

constexpr char kWrong[] =
    "echo 'plumbline-suite: rank 5: wrong data: write_level2: byte 0 of /x is 255, not 19'; exit 1";

class WrongDataCauses : public testing::Test {
 protected:
  WrongDataCauses() {
    ::setenv("HINTS_OF_TEST", "file", 1);
    mpi_.installed.flavour = "mpich";
    mpi_.suite = directory_ / "suite";
    mpi_.layout.launcher = {"{program}"};  // without a launcher
  }
  ~WrongDataCauses() override { ::unsetenv("HINTS_OF_TEST"); }

  bool is_cause(const std::string& script) {
    std::ofstream(mpi_.suite) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(mpi_.suite, std::filesystem::perms::owner_all);
    return is_wrong_only_with({{mpi_.suite.string()}, {}}, {"HINTS_OF_TEST="}, 20, directory_ / "log");
  }

  const test::TemporaryDirectory directory_;
  Mpi mpi_;
};

TEST_F(WrongDataCauses, AreSettingsWithWhichDataIsWrongAndWithoutWhichItIsRight) {
  EXPECT_TRUE(is_cause(std::string("[ -z \"$HINTS_OF_TEST\" ] || { ") + kWrong + "; }"));
}

TEST_F(WrongDataCauses, AreNoSettingsThatChangeNothing) {
  EXPECT_FALSE(is_cause(kWrong)) << "wrong without it too";
  EXPECT_FALSE(is_cause("exit 0")) << "right with it too";
}

TEST_F(WrongDataCauses, AreNotToldWhereARunFailsOtherwise) {
  EXPECT_FALSE(is_cause(std::string("[ -n \"$HINTS_OF_TEST\" ] || exit 3; ") + kWrong));
}

TEST(SharingOfRanks, IsToldOfNodesThatAreOneMachine) {
  node::RankIdentity rank;
  rank.host = "n0";
  rank.boot_id = "same";
  rank.affinity = "0";
  node::RankIdentity other = rank;
  other.host = "n1";
  EXPECT_EQ(sharing_of({rank}), "");
  EXPECT_EQ(sharing_of({rank, other}), "2 ranks share 1 core of one machine (n0, n1)");
}

}  // namespace
}  // namespace plumbline::cli::validate
