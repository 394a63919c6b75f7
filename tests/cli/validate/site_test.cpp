#include "cli/workflows/validate/session/site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "cli/workflows/validate/session/session.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Hosts, AreNamesWithSlotsAndComments) {
  std::uint32_t per_node = 0;
  EXPECT_THAT(parse_hosts("# our cluster\nn0 slots=4\n\nn1 slots=2  # half of it is in use\n", "hosts", per_node),
              ElementsAre("n0", "n1"));
  EXPECT_EQ(per_node, 2U) << "what all have";
}

TEST(Hosts, LeaveTheRanksOfANodeToWhoAskedForThem) {
  std::uint32_t per_node = 3;
  parse_hosts("n0 slots=4\n", "hosts", per_node);
  EXPECT_EQ(per_node, 3U);
}

TEST(Hosts, AreRefusedWithEveryLineAtFault) {
  std::uint32_t per_node = 0;
  try {
    parse_hosts("n0 cores=4\nn1\nn1\nn2 slots=0\n", "hosts", per_node);
    FAIL();
  } catch (const Error& error) {
    std::string all;
    for (const Problem& problem : error.problems()) all += to_string(problem) + "\n";
    EXPECT_THAT(all, HasSubstr("hosts:1: 'cores=4' is no number of slots"));
    EXPECT_THAT(all, HasSubstr("hosts:3: 'n1' is there twice"));
    EXPECT_THAT(all, HasSubstr("hosts:4: 'slots=0'"));
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
  }
}

TEST(Hosts, OfAnEmptyFileAreRefused) {
  std::uint32_t per_node = 0;
  EXPECT_THROW(parse_hosts("# nobody\n", "hosts", per_node), Error);
}

TEST(Hosts, OfRandomBytesAreReadOrRefused) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 500; ++trial) {
    std::string text(random() % 60, ' ');
    for (char& c : text)
      c = "n0 slots=#\n\t\0\xff"
          "19"[random() % 16];
    std::uint32_t per_node = 0;
    try {
      for (const std::string& host : parse_hosts(text, "hosts", per_node)) EXPECT_FALSE(host.empty());
    } catch (const Error&) {
    }
  }
}

TEST(Slurm, OfSeveralNodesWithoutANumberOfTasksIsTold) {
  ::setenv("SLURM_JOB_ID", "17", 1);
  ::setenv("SLURM_JOB_NUM_NODES", "4", 1);
  EXPECT_THAT(notes_of_slurm(), ElementsAre(HasSubstr("though the job of Slurm has 4 nodes")));
  ::setenv("SLURM_JOB_NUM_NODES", "1", 1);
  EXPECT_THAT(notes_of_slurm(), testing::IsEmpty()) << "this node is all there is";
  ::unsetenv("SLURM_JOB_NUM_NODES");
  ::unsetenv("SLURM_JOB_ID");
  EXPECT_THAT(notes_of_slurm(), testing::IsEmpty());
}

TEST(Matching, AStarStandsForAnyCharacters) {
  EXPECT_TRUE(matches("net.*", "net.link.rate"));
  EXPECT_TRUE(matches("*.rate", "net.link.rate"));
  EXPECT_TRUE(matches("n*t.*e", "net.link.rate"));
  EXPECT_TRUE(matches("net.link.rate", "net.link.rate"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("net", "net.link.rate"));
  EXPECT_FALSE(matches("*.rat", "net.link.rate"));
}

}  // namespace
}  // namespace plumbline::cli::validate
