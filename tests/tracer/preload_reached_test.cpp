// Programs that reach the MPI library in other ways than by main's own calls of what it is linked with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Reached : public OnBothMpis {
 protected:
  std::string library() const { return GetParam() == std::string("mpich") ? "libmpich.so.12" : "libmpi.so.40"; }
};

TEST_P(Reached, MpiInitOfAConstructorOfALinkedLibraryBeginsTheRecording) {
  const auto ranks = record("early_main", 2);
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  ASSERT_EQ(ranks.size(), 2u) << outcome_.errors;
  EXPECT_EQ(ranks[0]->calls.front().name, "MPI_Init");
  EXPECT_EQ(ranks[0]->of("MPI_Barrier").size(), 2u);
  EXPECT_EQ(ranks[0]->spool.header().end, PL_END_FINALIZED);
}

TEST_P(Reached, FunctionsLookedUpInALibraryThatTheProgramOpenedAreRecorded) {
  const auto ranks = record("opened_mpi", 2, {library()});
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  ASSERT_EQ(ranks.size(), 2u) << outcome_.errors;
  EXPECT_EQ(ranks[1]->only("MPI_Init").done, true);
  EXPECT_EQ(ranks[1]->spool.header().end, PL_END_FINALIZED);
  EXPECT_THAT(outcome_.output, HasSubstr("what nobody has: an error"));
  EXPECT_THAT(outcome_.output, HasSubstr("after what is found: no error"));
  EXPECT_THAT(outcome_.output, HasSubstr("initialized 1, name 1"));
}

// Open MPI looks at every component's file in the first MPI_T_init_thread.
TEST_P(Reached, WhatTheLibraryDoesWithFilesInTheToolsInterfaceIsNotTheProgramsOwn) {
  const auto ranks = record("tools", 1, {"late"});
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  ASSERT_EQ(ranks.size(), 1u) << outcome_.errors;
  std::vector<std::string> others;
  for (const Call& call : ranks[0]->calls)
    if (!call.name.starts_with("MPI_") && call.name != "(open at start)") others.push_back(call.name);
  EXPECT_THAT(others, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(BothMpis, Reached, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
