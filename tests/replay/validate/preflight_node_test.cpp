#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "replay/validate/preflight/preflight.hpp"
#include "tests/replay/validate/preflight_job.hpp"

namespace plumbline::replay::validate::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PreFlightOfNodes, SharedMemoryThatIsTooSmallIsAFinding) {
  PreFlightInput job = healthy_job(2, 2);
  job.ranks[2].shm_bytes = job.ranks[2].shm_free_bytes = 64 << 10;  // the first of n1
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("node.shm.size"));
  EXPECT_EQ(judgement.diagnoses[0].title, "/dev/shm of n1 has 0.0625 MiB free; 2 ranks need up to 16 MiB");
  EXPECT_FALSE(judgement.diagnoses[0].fatal);
}

TEST(PreFlightOfNodes, SharedMemoryOfARankThatIsAloneOnItsNodeDoesNotMatter) {
  PreFlightInput job = healthy_job(2, 1);
  for (node::RankIdentity& rank : job.ranks) rank.shm_bytes = rank.shm_free_bytes = 0;
  EXPECT_THAT(ids_of(pre_flight(job).diagnoses), IsEmpty());
}

TEST(PreFlightOfNodes, RanksThatSeeDifferentSharedMemoryAreAFinding) {
  PreFlightInput job = healthy_job(1, 3);
  job.ranks[2].shm_device = 99;
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("node.shm.size"));
  EXPECT_THAT(judgement.diagnoses[0].title, HasSubstr("2 different /dev/shm"));
}

TEST(PreFlightOfNodes, ASessionOnTheNetworkIsObserved) {
  for (const char* type : {"nfs4", "lustre", "gpfs", "fuse.glusterfs"}) {
    PreFlightInput job = healthy_job();
    for (node::RankIdentity& rank : job.ranks) rank.session_type = type;
    const Judgement judgement = pre_flight(job);
    EXPECT_THAT(judgement.diagnoses, IsEmpty());
    ASSERT_THAT(ids_of(judgement.observations), ElementsAre("node.session.filesystem")) << type;
    EXPECT_THAT(judgement.observations[0].places, ElementsAre("n0", "n1"));
  }
}

TEST(PreFlightOfNodes, ASessionWithoutRoomIsFatal) {
  PreFlightInput job = healthy_job();
  job.ranks[0].session_free_bytes = 1000;
  ASSERT_THAT(ids_of(pre_flight(job).diagnoses), ElementsAre("node.session.filesystem"));
  EXPECT_TRUE(pre_flight(job).diagnoses[0].fatal);
}

TEST(PreFlightOfNodes, ADebugBuildIsObserved) {
  PreFlightInput job = healthy_job();
  for (node::RankIdentity& rank : job.ranks) rank.debug = "--enable-debug";
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.observations), ElementsAre("mpi.build.debug"));
  EXPECT_THAT(judgement.observations[0].places, ElementsAre("n0", "n1"));
}

PreFlightInput job_with_infiniband(const std::string& flavour, std::vector<node::RankSetting> settings) {
  PreFlightInput job = healthy_job();
  for (NodeSettings& node : job.nodes) {
    node.facts.facts["rdma.mlx5_0:1.state"] = {"ACTIVE", "/sys/class/infiniband/mlx5_0/ports/1/state"};
    node.facts.facts["rdma.mlx5_0:1.rate_gbit"] = {"100", "/sys/class/infiniband/mlx5_0/ports/1/rate"};
    node.facts.facts["rdma.mlx5_1:1.state"] = {"DOWN", "/sys/class/infiniband/mlx5_1/ports/1/state"};
  }
  for (node::RankIdentity& rank : job.ranks) {
    rank.flavour = flavour;
    rank.settings = settings;
  }
  return job;
}

// As the packages of Debian 12 have it.
TEST(FastNetwork, TheFileThatTurnsItOffIsNamedWithItsLine) {
  const std::string file = "/etc/openmpi/openmpi-mca-params.conf";
  const Judgement judgement = pre_flight(job_with_infiniband("openmpi", {{"btl", "^uct,openib,ofi", "file", file, 66},
                                                                         {"pml", "^ucx", "file", file, 60},
                                                                         {"pml.selected", "ob1", "", "", 0}}));
  ASSERT_THAT(ids_of(judgement.diagnoses), ElementsAre("mpi.transport.fast-network-unused"));
  const Diagnosis& diagnosis = judgement.diagnoses[0];
  EXPECT_EQ(diagnosis.origin, (Origin{"file", file, 60}));
  EXPECT_EQ(diagnosis.component, "pml");
  EXPECT_THAT(diagnosis.places, ElementsAre("n0", "n1"));
  EXPECT_EQ(diagnosis.evidence[0], (Datum{"n0 rdma.mlx5_0:1", "100", "Gbit/s"}));
  EXPECT_FALSE(diagnosis.fatal);
}

TEST(FastNetwork, ThatIsInUseIsNoFault) {
  EXPECT_THAT(pre_flight(job_with_infiniband("openmpi", {{"pml.selected", "ucx", "", "", 0}})).diagnoses, IsEmpty());
  EXPECT_THAT(pre_flight(job_with_infiniband("openmpi", {{"pml.selected", "cm", "", "", 0}})).diagnoses, IsEmpty());
  EXPECT_THAT(pre_flight(job_with_infiniband("openmpi", {{"btl", "openib,self,vader", "environment", "", 0},
                                                         {"pml.selected", "ob1", "", "", 0}}))
                  .diagnoses,
              IsEmpty());
  EXPECT_THAT(pre_flight(job_with_infiniband("mpich", {{"device", "ch4:ucx", "", "", 0}})).diagnoses, IsEmpty());
  EXPECT_THAT(pre_flight(job_with_infiniband("mpich", {{"device", "ch4:ofi", "", "", 0}})).diagnoses, IsEmpty());
}

TEST(FastNetwork, ThatTheTransportsOfUcxOrLibfabricLeaveOutIsNamed) {
  const auto origin_of = [](const char* flavour, std::vector<node::RankSetting> settings) -> std::string {
    const Judgement judgement = pre_flight(job_with_infiniband(flavour, std::move(settings)));
    return judgement.diagnoses.empty() ? "" : judgement.diagnoses[0].origin.value_or(Origin{"?", "?", 0}).file;
  };
  const node::RankSetting tls = {"UCX_TLS", "tcp,self", "environment", "UCX_TLS", 0};
  EXPECT_EQ(origin_of("mpich", {{"device", "ch4:ucx", "", "", 0}, tls}), "UCX_TLS");
  EXPECT_EQ(origin_of("openmpi", {{"pml.selected", "ucx", "", "", 0}, tls}), "UCX_TLS");
  EXPECT_EQ(
      origin_of("mpich", {{"device", "ch4:ofi", "", "", 0}, {"FI_PROVIDER", "tcp", "environment", "FI_PROVIDER", 0}}),
      "FI_PROVIDER");
}

TEST(FastNetwork, ThatIsDownIsNotMissed) {
  PreFlightInput job = job_with_infiniband("openmpi", {{"pml.selected", "ob1", "", "", 0}});
  for (NodeSettings& node : job.nodes) node.facts.facts["rdma.mlx5_0:1.state"].value = "INIT";
  EXPECT_THAT(pre_flight(job).diagnoses, IsEmpty());
}

}  // namespace
}  // namespace plumbline::replay::validate::test
