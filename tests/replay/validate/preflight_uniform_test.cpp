#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "replay/validate/preflight/preflight.hpp"
#include "tests/replay/validate/preflight_job.hpp"

namespace plumbline::replay::validate::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What is seen where one fact of node n2 of four is another.
std::vector<Observation> seen_with(const std::string& name, const std::string& usual, const std::string& odd) {
  PreFlightInput job = healthy_job(4, 1);
  for (NodeSettings& node : job.nodes)
    if (!(node.host == "n2" ? odd : usual).empty())
      node.facts.facts[name] = {node.host == "n2" ? odd : usual, "/sys/somewhere"};
  return pre_flight(job).observations;
}

TEST(Uniformity, AnOddMtuNamesTheNode) {
  const auto seen = seen_with("net.eth0.mtu_bytes", "9000", "1500");
  ASSERT_THAT(ids_of(seen), ElementsAre("net.mtu.uniform"));
  EXPECT_EQ(seen[0].text, "net.eth0.mtu_bytes is not the same on all nodes: 1500 on n2; 9000 on n0, n1, n3");
  EXPECT_EQ(seen[0].component, "eth0");
  EXPECT_THAT(seen[0].places, ElementsAre("n2"));
}

TEST(Uniformity, EachFactGoesToItsCheck) {
  EXPECT_THAT(ids_of(seen_with("net.eth0.speed_mbit", "1000", "100")), ElementsAre("net.link.speed"));
  EXPECT_THAT(ids_of(seen_with("rdma.mlx5_0:1.rate_gbit", "100", "50")), ElementsAre("net.link.speed"));
  EXPECT_THAT(ids_of(seen_with("kernel.release", "6.1.0-1", "6.1.0-2")), ElementsAre("node.uniform.kernel"));
  EXPECT_THAT(ids_of(seen_with("mount./scratch.options", "rw", "rw,sync")), ElementsAre("node.uniform.mounts"));
  EXPECT_THAT(ids_of(seen_with("mount./scratch.type", "nfs4", "")), ElementsAre("node.uniform.mounts"));
  EXPECT_THAT(ids_of(seen_with("sysctl.net.core.busy_poll", "0", "50")), ElementsAre("node.uniform.settings"));
}

TEST(Uniformity, WhatDiffersByNatureIsNotSeen) {
  EXPECT_THAT(ids_of(seen_with("kernel.host", "a", "b")), IsEmpty());
  EXPECT_THAT(ids_of(seen_with("memory.bytes", "1000000", "1000001")), IsEmpty());
}

TEST(Uniformity, OfTwoNodesNoneIsTheOddOne) {
  PreFlightInput job = healthy_job(2, 1);
  job.nodes[1].facts.facts["kernel.release"].value = "6.2";
  EXPECT_THAT(pre_flight(job).observations[0].places, ElementsAre("n0", "n1"));
}

TEST(Uniformity, HalfDuplexIsSeenEvenWhereAllHaveIt) {
  PreFlightInput job = healthy_job(2, 1);
  for (NodeSettings& node : job.nodes) node.facts.facts["net.eth0.duplex"].value = "half";
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.observations), ElementsAre("net.link.speed", "net.link.speed"));
  EXPECT_EQ(judgement.observations[0].text, "eth0 of n0 has negotiated half duplex");
}

TEST(Uniformity, AnotherBuildOfTheLibraryIsSeen) {
  PreFlightInput job = healthy_job(3, 1);
  job.ranks[1].library = "Open MPI v4.1.5";
  const Judgement judgement = pre_flight(job);
  ASSERT_THAT(ids_of(judgement.observations), ElementsAre("node.uniform.kernel"));
  EXPECT_THAT(judgement.observations[0].places, ElementsAre("n1"));
}

}  // namespace
}  // namespace plumbline::replay::validate::test
