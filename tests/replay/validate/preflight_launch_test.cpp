#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "replay/validate/preflight/preflight.hpp"
#include "tests/replay/validate/preflight_job.hpp"

namespace plumbline::replay::validate::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

void make_singletons(PreFlightInput& job) {
  for (node::RankIdentity& rank : job.ranks) {
    rank.world_rank = 0;
    rank.world_size = 1;
  }
}

TEST(PreFlight, OfAHealthyJobFindsNothing) {
  const Judgement judgement = pre_flight(healthy_job());
  EXPECT_THAT(ids_of(judgement.observations), IsEmpty());
  EXPECT_THAT(ids_of(judgement.diagnoses), IsEmpty());
}

TEST(PreFlight, TheLauncherOfAnotherMpiIsNamed) {
  PreFlightInput job = healthy_job(1, 2);
  make_singletons(job);
  for (node::RankIdentity& rank : job.ranks) rank.launched = {{"PMI_SIZE", 2}, {"MPI_LOCALNRANKS", 2}};
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("launch.world.size"));
  const Diagnosis& diagnosis = judgement.diagnoses[0];
  EXPECT_EQ(diagnosis.title,
            "Every one of 2 ranks is rank 0 of 1: mpiexec of MPICH (hydra) has started a program that is linked with "
            "Open MPI");
  EXPECT_TRUE(diagnosis.fatal);
  EXPECT_EQ(diagnosis.confidence, Confidence::kCertain);
  EXPECT_THAT(diagnosis.remedy.openmpi, ElementsAre("mpirun.openmpi -n 2 PROGRAM", "srun --mpi=pmix -n 2 PROGRAM"));
  EXPECT_THAT(diagnosis.remedy.mpich, IsEmpty());
  EXPECT_TRUE(judgement.observations[0].explained);
}

// Open MPI started by hydra: one of the two may end in MPI_Init, where both make the same session directory.
TEST(PreFlight, RanksThatAreAloneMayEndEachOther) {
  PreFlightInput job = healthy_job(1, 2);
  make_singletons(job);
  for (node::RankIdentity& rank : job.ranks) rank.launched = {{"PMI_SIZE", 2}, {"MPI_LOCALNRANKS", 2}};
  job.ranks[1].world_size = 0;
  ASSERT_THAT(pre_flight(job).diagnoses, SizeIs(1));
  EXPECT_THAT(pre_flight(job).diagnoses[0].title, HasSubstr("Every one of 2 ranks is rank 0 of 1"));
  job.ranks[0].world_size = 0;
  ASSERT_THAT(pre_flight(job).diagnoses, SizeIs(1));
  EXPECT_THAT(pre_flight(job).diagnoses[0].title, HasSubstr("None of 2 ranks came through MPI_Init"));
}

// MPICH's ranks of MPICH's own launcher: it is no matter of who launched them.
TEST(PreFlight, RanksThatDoNotStartForWantOfSharedMemoryAreToldSo) {
  PreFlightInput job = healthy_job(1, 2);
  for (node::RankIdentity& rank : job.ranks) {
    rank.flavour = "mpich";
    rank.world_size = 0;
    rank.launched = {{"PMI_SIZE", 2}, {"MPI_LOCALNRANKS", 2}};
  }
  ASSERT_THAT(pre_flight(job).diagnoses, SizeIs(1));
  EXPECT_THAT(pre_flight(job).diagnoses[0].title, HasSubstr("MPICH has not started under its own launcher"));
  for (node::RankIdentity& rank : job.ranks) rank.shm_bytes = rank.shm_free_bytes = 1 << 20;
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(judgement.diagnoses, SizeIs(1));
  EXPECT_EQ(judgement.diagnoses[0].id, "launch.world.size");
  EXPECT_TRUE(judgement.diagnoses[0].fatal);
  EXPECT_THAT(judgement.diagnoses[0].title,
              ::testing::StartsWith("None of 2 ranks came through MPI_Init: /dev/shm of n0 has 1 MiB free"));
  EXPECT_THAT(judgement.diagnoses[0].remedy.lines, ::testing::Not(IsEmpty()));
}

TEST(PreFlight, AProcessThatIsNotInTheWorldIsFatal) {
  PreFlightInput job = healthy_job(1, 4);
  job.ranks[3].world_size = 0;
  ASSERT_THAT(pre_flight(job).diagnoses, SizeIs(1));
  EXPECT_EQ(pre_flight(job).diagnoses[0].title, "1 of 4 processes did not come through MPI_Init");
  EXPECT_TRUE(pre_flight(job).diagnoses[0].fatal);
}

TEST(PreFlight, SlurmWithoutTheInterfaceOfThisMpiIsNamed) {
  PreFlightInput job = healthy_job(1, 2);
  make_singletons(job);
  for (node::RankIdentity& rank : job.ranks) rank.launched = {{"SLURM_NTASKS", 2}};
  ASSERT_THAT(pre_flight(job).diagnoses, SizeIs(1));
  EXPECT_THAT(pre_flight(job).diagnoses[0].title, HasSubstr("srun has not offered an interface that Open MPI knows"));
}

TEST(PreFlight, OneRankThatIsAloneAsAskedForIsNoFault) {
  PreFlightInput job = healthy_job(1, 1);
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
  job.ranks[0].launched.clear();
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
  job.asked.ranks = 2;
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), ElementsAre("launch.world.size"));
}

// Two starts that each took half: every number is there twice.
TEST(PreFlight, SeveralWorldsAreFatal) {
  PreFlightInput job = healthy_job(2, 2);
  for (std::size_t i = 0; i < 4; ++i) {
    job.ranks[i].world_size = 2;
    job.ranks[i].world_rank = static_cast<std::uint32_t>(i % 2);
  }
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(judgement.diagnoses, SizeIs(1));
  EXPECT_EQ(judgement.diagnoses[0].title, "4 processes are in several worlds, the largest of 2");
  EXPECT_TRUE(judgement.diagnoses[0].fatal);
}

TEST(PreFlight, AllocationOfABatchJobMayBeLargerThanTheStart) {
  PreFlightInput job = healthy_job(1, 2);
  for (node::RankIdentity& rank : job.ranks) rank.launched["SLURM_NTASKS"] = 64;
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
}

TEST(PreFlight, OneRankOfALargeAllocationMayBeAlone) {
  PreFlightInput job = healthy_job(1, 1);
  job.ranks[0].launched["SLURM_NTASKS"] = 64;
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
}

TEST(PreFlight, FewerRanksOrNodesThanAskedForAreFatal) {
  PreFlightInput job = healthy_job(2, 2);
  job.asked = {8, 4};
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("launch.world.size", "launch.world.size"));
  EXPECT_EQ(judgement.diagnoses[0].title, "The world has 4 ranks, 8 were asked for");
  EXPECT_EQ(judgement.diagnoses[1].title, "The ranks are on 2 of 4 nodes: n0, n1");
  EXPECT_TRUE(judgement.diagnoses[1].fatal);
}

TEST(PreFlight, NoRankAtAllIsFatal) {
  const Judgement judgement = pre_flight({});
  ASSERT_THAT(judgement.diagnoses, SizeIs(1));
  EXPECT_TRUE(judgement.diagnoses[0].fatal);
}

TEST(PreFlight, RanksThatDidNotSayWhoTheyAreAreObserved) {
  PreFlightInput job = healthy_job(2, 2);
  job.ranks.resize(2);  // those of n1 write elsewhere
  job.nodes.resize(1);
  const Judgement judgement = pre_flight(job);
  EXPECT_THAT(judgement.diagnoses, IsEmpty());
  ASSERT_THAT(ids_of(judgement.observations), ElementsAre("launch.world.size"));
  EXPECT_THAT(judgement.observations[0].text, HasSubstr("2 of 4 ranks"));
}

TEST(PreFlight, RanksOnOneProcessorAreNamedWithTheirMasks) {
  PreFlightInput job = healthy_job(2, 3);
  for (node::RankIdentity& rank : job.ranks)
    if (rank.host == "n1") rank.affinity = "0";
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("launch.binding.overlap"));
  EXPECT_EQ(judgement.diagnoses[0].title, "2 ranks on n1 are bound to processor 0: ranks 3, 4");
  EXPECT_THAT(judgement.diagnoses[0].places, ElementsAre("n1"));
  EXPECT_EQ(judgement.diagnoses[0].evidence[0], (Datum{"n1 rank 3", "0", "processors"}));
}

TEST(PreFlight, OverlappingMasksWithProcessorsForAllAreNoFault) {
  PreFlightInput job = healthy_job(1, 2);
  job.ranks[0].affinity = "0-1";
  job.ranks[1].affinity = "1-2";
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
}

TEST(PreFlight, UnboundRanksAreObservedAndNotAccused) {
  PreFlightInput job = healthy_job(1, 2);
  for (node::RankIdentity& rank : job.ranks) rank.affinity = "0-3";
  const Judgement judgement = pre_flight(job);
  EXPECT_THAT(judgement.diagnoses, IsEmpty());
  EXPECT_THAT(ids_of(judgement.observations), ElementsAre("launch.binding.none"));
}

TEST(PreFlight, MoreRanksThanProcessorsAreNoOverlap) {
  PreFlightInput job = healthy_job(1, 4);
  for (node::RankIdentity& rank : job.ranks) {
    rank.affinity = "0-1";
    rank.cores = 2;
  }
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("launch.ranks.cores"));
  EXPECT_EQ(judgement.diagnoses[0].title,
            "4 ranks share n0, which has 2 processors; those that wait keep the processor");
  EXPECT_THAT(judgement.diagnoses[0].remedy.openmpi, ElementsAre("OMPI_MCA_mpi_yield_when_idle=1"));
}

TEST(PreFlight, AQuotaBelowTheRanksIsNamed) {
  PreFlightInput job = healthy_job(1, 2);
  for (node::RankIdentity& rank : job.ranks) {
    rank.quota_cores = 1.5;
    rank.yields = true;
  }
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("launch.ranks.cores"));
  EXPECT_EQ(judgement.diagnoses[0].title,
            "2 ranks share n0, whose control group has a quota of 1.5 processors; those that wait give the processor "
            "away");
  EXPECT_EQ(judgement.diagnoses[0].component, "quota");
}

TEST(PreFlight, FatalDiagnosesComeFirst) {
  PreFlightInput job = healthy_job(1, 2);
  for (node::RankIdentity& rank : job.ranks) {
    rank.affinity = "0";
    rank.session_writable = false;
  }
  const Judgement judgement = pre_flight(job);
  EXPECT_THAT(ids_of(judgement.diagnoses), ElementsAre("node.session.filesystem", "launch.binding.overlap"));
  EXPECT_EQ(judgement.diagnoses[0].mpi, "openmpi");
}

}  // namespace
}  // namespace plumbline::replay::validate::test
