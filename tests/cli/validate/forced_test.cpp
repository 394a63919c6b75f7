#include "cli/workflows/validate/settings/forced.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using testing::ElementsAre;
using testing::IsEmpty;

Diagnosis shown(const std::string& id, const std::string& component, double cost_s = 1,
                const std::string& mpi = "mpich") {
  Diagnosis diagnosis;
  diagnosis.id = id;
  diagnosis.component = component;
  diagnosis.cost_s = cost_s;
  diagnosis.mpi = mpi;
  return diagnosis;
}

TEST(ForcedCollective, IsInTheNameOfTheSetting) {
  EXPECT_EQ(forced_collective("coll_tuned_alltoall_algorithm"), "alltoall");
  EXPECT_EQ(forced_collective("coll_tuned_reduce_scatter_block_algorithm"), "reduce_scatter_block");
  EXPECT_EQ(forced_collective("MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM"), "alltoall");
}

TEST(ForcedCollective, IsNoneOfSettingsOfAllCollectivesOrOfNonBlockingOnes) {
  for (const char* setting :
       {"coll_tuned_use_dynamic_rules", "coll_tuned_dynamic_rules_filename", "coll_han_priority", "coll",
        "coll_libnbc_ibcast_algorithm", "MPIR_CVAR_IBCAST_INTRA_ALGORITHM", "MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM",
        "MPIR_CVAR_BCAST_INTER_ALGORITHM", "MPIR_CVAR_ENABLE_HCOLL", "btl_tcp_eager_limit", "coll_tuned_algorithm", ""})
    EXPECT_EQ(forced_collective(setting), "") << setting;
}

TEST(IsOfCollective, SaysThatItIsSlow) {
  EXPECT_TRUE(is_of_collective(shown("rule.regular.vector", "alltoall"), "alltoall"));
  EXPECT_TRUE(is_of_collective(shown("mpi.collective.algorithm", "algorithm of MPI_Alltoall"), "alltoall"));
  EXPECT_FALSE(is_of_collective(shown("rule.regular.vector", "alltoallv"), "alltoall"));
  EXPECT_FALSE(is_of_collective(shown("mpi.collective.algorithm", "algorithm of MPI_Allgather"), "alltoall"));
  EXPECT_FALSE(is_of_collective(shown("storage.slow", "alltoall"), "alltoall"));
  EXPECT_FALSE(is_of_collective(shown("rule.sendrecv", ""), "")) << "of no collective nothing is";
}

TEST(CostliestOf, IsTheGreatestCostWithTheSameLibrary) {
  const std::vector<Diagnosis> all{
      shown("rule.regular.vector", "alltoall", 2), shown("rule.neighbourhood", "alltoall", 3),
      shown("rule.neighbourhood", "alltoall", 9, "openmpi"), shown("rule.scan", "scan", 8)};
  EXPECT_EQ(costliest_of(all, "alltoall", "mpich"), &all[1]);
  EXPECT_EQ(costliest_of(all, "bcast", "mpich"), nullptr);
}

TEST(TakeCost, IsAtMostWhatTheSuiteLosesAndNotWhatTheCellsDo) {
  Diagnosis setting = shown("mpi.collectives.forced", "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", 40);
  setting.cells_share = 0.3;
  setting.cost_basis = "4 cells, run with and without it 5 times in turn, gained 45 %";
  take_cost(setting, shown("rule.regular.vector", "alltoall", 0.1));
  EXPECT_EQ(setting.cost_s, 0.1);
  EXPECT_TRUE(setting.cost_is_bound);
  EXPECT_FALSE(setting.cells_share);
  EXPECT_EQ(
      setting.cost_basis,
      "what rule.regular.vector says of the collective, in calls of which 4 cells, run with and without it 5 times in "
      "turn, gained 45 %");
}

TEST(CellsOfCollective, AreOfTheseBlocksWhereTheSuiteHasACellOfIt) {
  const bench::CellKinds kinds{
      {"alltoall", "", 2, false, {{"bytes", "", 8, 1, 1 << 20}, {"repetitions", "", 10, 1, 100}}},
      {"barrier", "", 2, false, {{"repetitions", "", 10, 1, 100}}}};
  EXPECT_THAT(cells_of_collective(kinds, "alltoall", {8, 16384}),
              ElementsAre("alltoall:bytes=8", "alltoall:bytes=16384"));
  EXPECT_THAT(cells_of_collective(kinds, "barrier", {8}), IsEmpty());
  EXPECT_THAT(cells_of_collective(kinds, "scan", {8}), IsEmpty());
}

}  // namespace
}  // namespace plumbline::cli::validate
