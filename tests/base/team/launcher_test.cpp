// What launchers of MPI say of the processes that they have started.

#include "base/team/launcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/error.hpp"

namespace plumbline {
namespace {

std::optional<LauncherProcesses> told_by(const std::map<std::string, std::string>& variables) {
  return launcher_processes([&](const char* name) -> const char* {
    const auto variable = variables.find(name);
    return variable == variables.end() ? nullptr : variable->second.c_str();
  });
}

TEST(Launcher, OpenMpiTellsRankAndSize) {
  EXPECT_EQ(told_by({{"OMPI_COMM_WORLD_SIZE", "32"}, {"OMPI_COMM_WORLD_RANK", "7"}}),
            (LauncherProcesses{Mpi::kOpenMpi, 7, 32}));
}

TEST(Launcher, HydraAndSlurmsPmi2AreOfMpich) {
  EXPECT_EQ(told_by({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}), (LauncherProcesses{Mpi::kMpich, 0, 4}));
}

TEST(Launcher, SlurmsPmixIsOfOpenMpiAndTheSizeIsThatOfTheStep) {
  EXPECT_EQ(told_by({{"PMIX_RANK", "2"}, {"SLURM_NTASKS", "3"}}), (LauncherProcesses{Mpi::kOpenMpi, 2, 3}));
  EXPECT_EQ(told_by({{"PMIX_RANK", "2"}, {"SLURM_NPROCS", "3"}}), (LauncherProcesses{Mpi::kOpenMpi, 2, 3}));
  EXPECT_EQ(told_by({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "32"}}), std::nullopt)
      << "a shell inside an allocation";
}

TEST(Launcher, OpenMpisOwnInsideSlurmIsOpenMpi) {
  EXPECT_EQ(told_by({{"OMPI_COMM_WORLD_SIZE", "2"},
                     {"OMPI_COMM_WORLD_RANK", "1"},
                     {"PMIX_RANK", "1"},
                     {"SLURM_NTASKS", "64"},
                     {"SLURM_STEP_NUM_TASKS", "4"}}),
            (LauncherProcesses{Mpi::kOpenMpi, 1, 2}));
}

TEST(Launcher, NothingIsToldWithoutOneOrOfOneProcess) {
  EXPECT_EQ(told_by({}), std::nullopt);
  EXPECT_EQ(told_by({{"SLURM_NTASKS", "32"}, {"SLURM_PROCID", "3"}}), std::nullopt) << "nothing that MPI could join";
  EXPECT_EQ(told_by({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}), std::nullopt);
  EXPECT_EQ(told_by({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}), std::nullopt);
}

TEST(Launcher, WhatIsNoNumberIsNotTold) {
  EXPECT_EQ(told_by({{"PMI_SIZE", "4x"}, {"PMI_RANK", "0"}}), std::nullopt);
  EXPECT_EQ(told_by({{"PMI_SIZE", "4"}, {"PMI_RANK", ""}}), std::nullopt);
  EXPECT_EQ(told_by({{"PMI_SIZE", "4"}, {"PMI_RANK", "4"}}), std::nullopt);
}

TEST(Launcher, TheUserCanSwitchItOff) {
  EXPECT_EQ(told_by({{"PLUMBLINE_TEAM", "off"}, {"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}), std::nullopt);
  EXPECT_EQ(told_by({{"PLUMBLINE_TEAM", ""}, {"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}),
            (LauncherProcesses{Mpi::kMpich, 0, 4}));
  try {
    told_by({{"PLUMBLINE_TEAM", "of"}});
    FAIL() << "a misspelt value is not taken for nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kWrongUse);
    EXPECT_STREQ(error.what(),
                 "PLUMBLINE_TEAM: there is no value 'of'; off: this process works alone, although a launcher has "
                 "started others");
  }
}

}  // namespace
}  // namespace plumbline
