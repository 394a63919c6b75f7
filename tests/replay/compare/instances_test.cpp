#include "replay/compare/instances.hpp"
#include "replay/report/make_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "fixture.hpp"
#include "replay/report/report.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::uint32_t> operations_of(const std::vector<Instance>& instances) {
  std::vector<std::uint32_t> operations;
  for (const Instance& instance : instances) operations.push_back(instance.operation);
  return operations;
}

// A second of computing, then writes of 100 ms of which the third takes 500 ms and the eighth 900 ms.
class Instances : public testing::Test {
 protected:
  Program uneven_writes() {
    std::string rank = "compute 1s\n";
    for (int i = 0; i < 10; ++i)
      rank += "pwrite 0..1000 file /f +" + std::string(i == 2 ? "500" : i == 7 ? "900" : "100") + "ms\n";
    return programs_.parse("ranks 1\nrank 0\n" + rank);
  }

  Programs programs_;
};

TEST_F(Instances, OfARowAreThoseBeyondTheirBandWorstFirst) {
  const Program program = uneven_writes();
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(90), milliseconds(20));
  const Report report = make_report(program, expected);
  ASSERT_THAT(report.rows, SizeIs(1));
  // begin: from the first operation on, 2 and 6 writes of 100 ms and one of 500 ms later
  EXPECT_THAT(report.rows[0].instances, ElementsAre(Instance{0, 7, milliseconds(1100), milliseconds(810), {}},
                                                    Instance{0, 2, milliseconds(200), milliseconds(410), {}}));
}

TEST_F(Instances, TellWhatIsInherited) {
  const Program program = uneven_writes();
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(100));
  expected.ranks[0].free[7].end = expected.ranks[0].free[7].begin + milliseconds(30);
  const Report report = make_report(program, expected);
  EXPECT_EQ(report.rows.at(0).instances.at(0).inherited, milliseconds(70)) << "100 ms anchored, 30 ms free";
}

TEST_F(Instances, OfWhatIsAsExpectedAreNone) {
  const Program program = uneven_writes();
  const Report report = make_report(program, as_observed(program));
  EXPECT_THAT(report.rows.at(0).instances, IsEmpty());
}

TEST_F(Instances, OfAFindingAreTheWorstOfItsRows) {
  std::string rank;
  for (int i = 0; i < 30; ++i) rank += "pwrite 0..52000000 file /scratch/a +" + std::to_string(1000 + i) + "ms\n";
  for (int i = 0; i < 30; ++i) rank += "pwrite 0..26000000 file /scratch/a +" + std::to_string(1500 + i) + "ms\n";
  const Program program = programs_.parse("ranks 1\nrank 0\n" + rank);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(100));
  const Report report = make_report(program, expected);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].rows, ElementsAre(0, 1));
  std::vector<std::uint32_t> longest(kMostInstances);
  for (std::uint32_t i = 0; i < kMostInstances; ++i) longest[i] = 59 - i;
  EXPECT_EQ(operations_of(report.findings[0].instances), longest) << "all of the second size, the last one first";
}

TEST_F(Instances, OfARankBesideItsPeersAreItsOwn) {
  std::string text = "ranks 4\nnode a ranks 0-3 cores 4\n";
  for (int rank = 0; rank < 4; ++rank)
    text += "rank " + std::to_string(rank) + "\n" +
            repeated("pwrite 0..1000 file /f +" + std::string(rank == 2 ? "300" : "100") + "ms\n", 25);
  const Program program = programs_.parse(text);
  Expected expected = as_observed(program);
  expect_all(program, expected, "pwrite", milliseconds(90));
  const Report report = make_report(program, expected);
  const auto peers = std::ranges::find(report.findings, Reference::kPeers, &Finding::reference);
  ASSERT_NE(peers, report.findings.end());
  EXPECT_THAT(peers->rows, ElementsAre(0));
  EXPECT_THAT(peers->instances, SizeIs(kMostInstances));
  EXPECT_THAT(peers->instances, testing::Each(testing::Field(&Instance::rank, 2U)));
}

TEST(KeepWorst, IsTheHeadOfAllInOrder) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::vector<Instance> all, kept;
    for (std::uint64_t n = random() % 60; n != 0; --n) {
      const auto number = [&](std::uint64_t below) { return static_cast<std::uint32_t>(random() % below); };
      all.push_back({number(3), number(1000), {}, Duration{number(20)}, {}});
      keep_worst(kept, all.back());
    }
    std::ranges::stable_sort(all, is_worse);
    all.resize(std::min(all.size(), kMostInstances));
    ASSERT_EQ(kept, all) << "round " << round;
  }
}

}  // namespace
}  // namespace plumbline::replay
