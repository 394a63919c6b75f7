#include "cli/workflows/validate/preflight/lossy_network.hpp"

#include <gmock/gmock.h>

#include <array>

#include "tracer/archive/names.hpp"

namespace plumbline::cli::validate {
namespace {

archive::LocationGroup process(const std::string& host, const std::vector<std::string>& peers) {
  archive::LocationGroup group;
  group.properties[archive::names::kPropertyHost] = host;
  for (std::size_t i = 0; i < peers.size(); ++i)
    group.properties["PLUMBLINE::META::tcp.peer." + std::to_string(i)] = peers[i];
  return group;
}

std::vector<std::string> text_of(const std::vector<replay::validate::TcpTraffic>& traffic) {
  std::vector<std::string> lines;
  for (const auto& one : traffic)
    lines.push_back(one.from + " " + one.to + " " + std::to_string(static_cast<int>(one.segments)) + " " +
                    std::to_string(static_cast<int>(one.again)));
  return lines;
}

TEST(TrafficOf, NamesNodesByTheAddressesOfTheirRanks) {
  archive::Definitions definitions;
  definitions.location_groups = {
      process("n0", {"from=10.0.0.1 to=10.0.0.2 connections=1 segments=100 again=7 min_rtt_us=50",
                     "from=127.0.0.1 to=127.0.0.1 connections=2 segments=9 again=0"}),
      process("n1", {"from=10.0.0.2 to=10.0.0.1 connections=1 segments=90 again=0",
                     "from=10.0.0.2 to=10.0.9.9 connections=1 segments=5 again=1"})};
  EXPECT_THAT(text_of(traffic_of(definitions)), testing::ElementsAre("n0 n1 100 7", "n1 n0 90 0", "n1 10.0.9.9 5 1"));
}

TEST(TrafficOf, LeavesOutWhatIsDamagedAndWhatIsNotCounted) {
  archive::Definitions definitions;
  definitions.location_groups = {process(
      "n0",
      {"from=10.0.0.1 to=10.0.0.2 connections=1 again=7", "from=10.0.0.1 connections=1 segments=3 again=7",
       "from=10.0.0.1 to=10.0.0.3 connections=x segments=3 again=7", "", "=", "from= to= connections=1 again=-1"})};
  EXPECT_THAT(text_of(traffic_of(definitions)), testing::IsEmpty());
}

TEST(CostOfSegments, IsTwoHundredMillisecondsEachAndNoMoreThanTheRunLost) {
  EXPECT_DOUBLE_EQ(cost_of_segments(10, 5), 2.0);
  EXPECT_DOUBLE_EQ(cost_of_segments(100, 5), 5.0);
  EXPECT_DOUBLE_EQ(cost_of_segments(10, -1), 0.0) << "it lost nothing";
}

using replay::validate::TcpTraffic;

// Four runs: ranks' sockets name n3 in two of them, in one the counters of n3 alone tell, in one nothing was lost.
class LossyNetworks : public testing::Test {
 protected:
  LossyNetworks() {
    const std::vector<TcpTraffic> traffic{{"n3", "n0", 1000, 9}, {"n1", "n3", 1000, 8}, {"n0", "n1", 1000, 0}};
    runs_ = {{&results_[0], traffic, {{"n0", 1e3}, {"n3", 1e3}}, {{"n0", 9}, {"n3", 8}}, 1.5},
             {&results_[1], traffic, {{"n0", 1e3}, {"n3", 1e3}}, {{"n0", 1}, {"n3", 4}}, 10.0},
             {&results_[2], {}, {{"n0", 1e3}, {"n3", 1e3}}, {{"n0", 0}, {"n3", 3}}, 0.5},
             {&results_[3], {}, {{"n0", 1e3}, {"n3", 1e3}}, {}, 4.0}};
    for (std::size_t i = 0; i < results_.size(); ++i) results_[i].entry = &entries_[i];
  }

  std::array<bench::SuiteEntry, 4> entries_;
  std::array<SuiteResult, 4> results_;
  std::vector<RunLoss> runs_;
};

// 17 segments cost no more than 1.5 s, five 1 s, three no more than 0.5 s.
TEST_F(LossyNetworks, AreNamedWithWhatTheyCostAtMostWhereRunsNameTheSameNode) {
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.id, "net.retransmits");
  EXPECT_EQ(found->diagnosis.component, "n3");
  EXPECT_NEAR(found->diagnosis.cost_s, 3.0, 1e-9);
  EXPECT_TRUE(found->diagnosis.cost_is_bound);
  EXPECT_EQ(found->diagnosis.samples, 3U);
  EXPECT_FALSE(found->diagnosis.remedy.lines.empty());
  EXPECT_THAT(found->explained, testing::ElementsAre(&results_[0], &results_[2])) << "1 of 10 s explains little";
}

TEST_F(LossyNetworks, AreNotNamedByASingleRun) {
  runs_[1].traffic.clear();
  EXPECT_FALSE(lossy_network(runs_));
}

TEST_F(LossyNetworks, AreNotNamedWhereNoRunLostTime) {
  for (RunLoss& run : runs_) run.lost_s = -1;
  EXPECT_FALSE(lossy_network(runs_));
}

// All that ranks sent to n3 at once was lost in a full buffer; n3 itself lost nothing.
TEST_F(LossyNetworks, AreNotNamedWhereOnlyTheWayToOneNodeLosesAny) {
  const std::vector<TcpTraffic> incast{{"n0", "n3", 1000, 9}, {"n1", "n3", 1000, 8}, {"n3", "n0", 1000, 0}};
  runs_[0].traffic = runs_[1].traffic = incast;
  EXPECT_FALSE(lossy_network(runs_));
}

// Segments between n3 and each of n0, n1 and n2, of which n3 sent some again.
std::vector<TcpTraffic> star() {
  std::vector<TcpTraffic> traffic;
  for (const char* node : {"n0", "n1", "n2"}) {
    traffic.push_back({"n3", node, 1500, 14});
    traffic.push_back({node, "n3", 1500, 0});
  }
  return traffic;
}

// An only aggregator: by what is lost in its own full buffers nobody knows whether its cable loses any.
TEST_F(LossyNetworks, AreNotNamedWhereInEachRunAllExchangeWithThatNode) {
  runs_[0].traffic = runs_[1].traffic = star();
  EXPECT_FALSE(lossy_network(runs_));
}

std::vector<TcpTraffic> even() {
  std::vector<TcpTraffic> traffic = star();
  for (const char* from : {"n0", "n1", "n2"})
    for (const char* to : {"n0", "n1", "n2"})
      if (from != std::string(to)) traffic.push_back({from, to, 1500, 0});
  return traffic;
}

// As a slow node had it under Open MPI, whose aggregator n3 was: 3 of 3,590 segments in the even run, between two
// nodes.
TEST_F(LossyNetworks, AreNotNamedByOneEvenRunBesideThoseInWhichAllExchangeWithThatNode) {
  runs_[0].traffic = runs_[1].traffic = star();
  runs_[2].traffic = even();
  EXPECT_FALSE(lossy_network(runs_));
}

TEST_F(LossyNetworks, AreNamedByTwoEvenRunsBesideOneInWhichAllExchangeWithThatNode) {
  runs_[0].traffic = star();
  runs_[1].traffic = runs_[2].traffic = even();
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.component, "n3");
  EXPECT_EQ(found->diagnosis.samples, 3U) << "what it cost the uneven run counts";
}

// An only aggregator n0 and a bad cable of n3: what the runs of the hub lose is between these two.
TEST_F(LossyNetworks, AreNamedByRunsInWhichTheOtherNodeIsTheHub) {
  std::vector<TcpTraffic> traffic;
  for (const char* node : {"n1", "n2", "n3"}) {
    traffic.push_back({"n0", node, 1500, node == std::string("n3") ? 7.0 : 0.0});
    traffic.push_back({node, "n0", 1500, node == std::string("n3") ? 7.0 : 0.0});
  }
  runs_[0].traffic = runs_[1].traffic = traffic;
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.component, "n0-n3");
}

// Two nodes, and a server that has few segments.
TEST_F(LossyNetworks, AreNamedWhateverOthersTheNodesTalkTo) {
  runs_[0].traffic = runs_[1].traffic = {{"n3", "n0", 1000, 9},
                                         {"n0", "n3", 1000, 8},
                                         {"n3", "10.0.9.8", 5, 0},
                                         {"n0", "10.0.9.8", 5, 0},
                                         {"n0", "10.0.9.9", 5, 0}};
  runs_[2].traffic.clear();
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.component, "n0-n3");
}

// Two runs name n3, and two lose between others: no majority.
TEST_F(LossyNetworks, AreNotNamedByHalfOfTheRunsThatLoseAny) {
  runs_[2].traffic = runs_[3].traffic = {{"n4", "n5", 1000, 1}, {"n5", "n4", 1000, 2}};
  runs_[0].traffic = runs_[1].traffic = {{"n3", "n0", 1000, 90}, {"n1", "n3", 1000, 80}, {"n0", "n1", 1000, 0}};
  EXPECT_FALSE(lossy_network(runs_));
  runs_[3].traffic.clear();
  EXPECT_TRUE(lossy_network(runs_)) << "two of three";
}

// A transpose of all nodes loses more than the other runs together, between all of them.
TEST_F(LossyNetworks, AreNamedThoughOneRunLosesMuchMoreBetweenOthers) {
  runs_[3].traffic = {{"n4", "n5", 1000, 150}, {"n6", "n7", 1000, 150}, {"n3", "n5", 1000, 120}};
  runs_[3].again = {{"n3", 5}, {"n4", 150}, {"n6", 150}};
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.component, "n3");
  EXPECT_NEAR(found->diagnosis.cost_s, 3.0 + 1.0, 1e-9) << "of that run the five segments of n3";
}

// n3 with n0 alone in one run, and with several in the others.
TEST_F(LossyNetworks, AreNamedByANodeWhereOneRunHasOnlyOneOfItsPairs) {
  runs_[2].traffic = {{"n3", "n0", 1000, 9}};
  const auto found = lossy_network(runs_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->diagnosis.component, "n3");
}

TEST(LostSegments, MayLookLikeWhatWasTimedAndIsNotCertain) {
  replay::validate::Diagnosis suspected;
  suspected.confidence = replay::validate::Confidence::kGood;
  for (const char* id : {"net.link.rate", "rank.slow", "suite.slower"}) {
    suspected.id = id;
    EXPECT_TRUE(may_be_of_lost_segments(suspected)) << id;
  }
  suspected.id = "io.hints.split";
  EXPECT_FALSE(may_be_of_lost_segments(suspected)) << "pieces are counted";
  suspected.id = "rank.slow";
  suspected.confidence = replay::validate::Confidence::kCertain;
  EXPECT_FALSE(may_be_of_lost_segments(suspected));
}

}  // namespace
}  // namespace plumbline::cli::validate
