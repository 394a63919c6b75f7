// Calls that failed, from spools to archives: what others have noticed of them is there, and nothing else.

#include <gmock/gmock.h>

#include "tests/tracer/assemble_fixture.hpp"
#include "tracer/record/events/failed_calls.hpp"

namespace plumbline::record {
namespace {

using test::Assemble;
using test::kSent;
using test::pair;
using test::SpoolBuilder;
using testing::ElementsAre;

TEST_F(Assemble, ACallThatFailedHasItsClassAndNoRecordOfWhatItDidNotDo) {
  SpoolBuilder spool(0, 2);
  spool.failed("MPI_Send", PL_LAYOUT_SEND, 2'000, 2'100, {pair(999, 0), 4, pair(PL_COMM_WORLD, 0)}, PL_ERROR_RANK);
  spool.failed("MPI_Isend", PL_LAYOUT_SEND, 3'000, 3'100, {pair(1, -5), 4, pair(PL_COMM_WORLD, 1)}, PL_ERROR_TAG);
  spool.failed("MPI_Recv", PL_LAYOUT_RECV, 4'000, 4'100, {pair(7, 0), 0, pair(PL_COMM_WORLD, 0), pair(-1, -1)},
               PL_ERROR_RANK);
  spool.failed("MPI_Bcast", PL_LAYOUT_COLLECTIVE, 5'000, 5'100, {pair(PL_COMM_WORLD, 77), 0, 4}, PL_ERROR_ROOT);
  spool.failed("MPI_Probe", PL_LAYOUT_PROBE, 6'000, 6'100,
               {pair(9, 1), 0, pair(PL_COMM_WORLD, 0), pair(-1, -1), pair(0, 0)}, PL_ERROR_RANK);
  spool.failed("MPI_Comm_dup", PL_LAYOUT_COMM, 7'000, 7'100, {pair(PL_COMM_NULL, 0), pair(PL_COMM_NULL, 0)},
               PL_ERROR_COMM);
  spool.failed("MPI_Type_dup", PL_LAYOUT_NONE, 8'000, 8'100, {}, PL_ERROR_OF_PROGRAM);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Send @0", "leave MPI_Send @100 ERROR_CLASS=MPI_ERR_RANK",  //
                                     "enter MPI_Isend @1000", "leave MPI_Isend @1100 ERROR_CLASS=MPI_ERR_TAG",
                                     "enter MPI_Recv @2000", "leave MPI_Recv @2100 ERROR_CLASS=MPI_ERR_RANK",
                                     "enter MPI_Bcast @3000", "leave MPI_Bcast @3100 ERROR_CLASS=MPI_ERR_ROOT",
                                     "enter MPI_Probe @4000", "leave MPI_Probe @4100 ERROR_CLASS=MPI_ERR_RANK",
                                     "enter MPI_Comm_dup @5000", "leave MPI_Comm_dup @5100 ERROR_CLASS=MPI_ERR_COMM",
                                     "enter MPI_Type_dup @6000",
                                     "leave MPI_Type_dup @6100 ERROR_CLASS=an error of the program's own"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AReceiveThatWasTooShortHasTakenItsMessage) {
  SpoolBuilder spool(0, 2);
  spool.failed("MPI_Recv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(-1, 3), 4, pair(PL_COMM_WORLD, 0), pair(1, 3)},
               PL_ERROR_TRUNCATE);
  spool.failed("MPI_Sendrecv", PL_LAYOUT_SENDRECV, 3'000, 3'100,
               {pair(1, 5), 16, pair(PL_COMM_WORLD, 0), pair(1, 6), 8, pair(1, 6)}, PL_ERROR_TRUNCATE);
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inner_events(0), ElementsAre("recv 1:3 4B POSTED_SOURCE=-1", "send 1:5 16B", "recv 1:6 8B"));
}

// MPI_Waitall of three: one was too short, one is done, one is still on its way.
TEST_F(Assemble, AWaitThatFailedHasCompletedWhatItSays) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(1, 1), 4, pair(PL_COMM_WORLD, 1)});
  spool.call("MPI_Isend", PL_LAYOUT_SEND, 3'000, 3'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 4'000, 4'100, {pair(1, 2), 4, pair(PL_COMM_WORLD, 3)});
  spool.failed(
      "MPI_Waitall", PL_LAYOUT_WAIT, 5'000, 5'100,
      {pair(3, 0), pair(2, 0), pair(1, 2), pair(3, 0), PL_COMPLETED | 4, pair(1, 1), kSent, pair(-1, -1), 0, 0},
      PL_ERROR_IN_STATUS);
  run({spool, SpoolBuilder(1, 2)});
  const std::vector<std::string> all = events(0);
  EXPECT_THAT(std::vector(all.end() - 4, all.end()),
              ElementsAre("enter MPI_Waitall @3000 WAITS_FOR=1,2,3", "irecv 1:1 4B r1", "sent r2",
                          "leave MPI_Waitall @3100 ERROR_CLASS=MPI_ERR_IN_STATUS"));
}

// By the default error handler. What a call that nobody refuses was about is still told.
TEST_F(Assemble, ACallThatEndedTheProgramIsToldByWhatMpiRefusesInIt) {
  struct Case {
    const char* name;
    pl_layout layout;
    test::Payload payload;
    std::vector<std::string> found;
  };
  const auto leave = [](const std::string& name, const std::string& error) {
    return "leave " + name + " @0" + (error.empty() ? "" : " ERROR_CLASS=" + error) + " UNFINISHED=1";
  };
  for (const Case& c : std::vector<Case>{
           {"MPI_Send", PL_LAYOUT_SEND, {pair(2, 0), 4, pair(PL_COMM_WORLD, 0)}, {leave("MPI_Send", "MPI_ERR_RANK")}},
           {"MPI_Send", PL_LAYOUT_SEND, {pair(-1, 0), 4, pair(PL_COMM_WORLD, 0)}, {leave("MPI_Send", "MPI_ERR_RANK")}},
           {"MPI_Send", PL_LAYOUT_SEND, {pair(1, -5), 4, pair(PL_COMM_WORLD, 0)}, {leave("MPI_Send", "MPI_ERR_TAG")}},
           {"MPI_Send", PL_LAYOUT_SEND, {pair(1, 5), 4, pair(PL_COMM_NULL, 0)}, {leave("MPI_Send", "MPI_ERR_COMM")}},
           {"MPI_Send",
            PL_LAYOUT_SEND,
            {pair(1, 5), 4, pair(PL_COMM_WORLD, 0)},
            {"send 1:5 4B", leave("MPI_Send", "")}},
           {"MPI_Recv",
            PL_LAYOUT_RECV,
            {pair(-9, 0), 4, pair(PL_COMM_WORLD, 0), 0},
            {leave("MPI_Recv", "MPI_ERR_RANK")}},
           {"MPI_Bcast", PL_LAYOUT_COLLECTIVE, {pair(PL_COMM_WORLD, 2), 4, 0}, {leave("MPI_Bcast", "MPI_ERR_ROOT")}},
           {"MPI_Bcast", PL_LAYOUT_COLLECTIVE, {pair(PL_COMM_WORLD, 1), 4, 0}, {"collective", leave("MPI_Bcast", "")}},
           {"MPI_Barrier",
            PL_LAYOUT_COLLECTIVE,
            {pair(PL_COMM_NULL, -1), 0, 0},
            {leave("MPI_Barrier", "MPI_ERR_COMM")}},
           {"MPI_Put", PL_LAYOUT_RMA, {pair(9, 0), 0, 4, 4, pair(0, 0), 0}, {leave("MPI_Put", "MPI_ERR_WIN")}},
       }) {
    SpoolBuilder spool(0, 2);
    spool.call(c.name, c.layout, 1'000'000, 0, c.payload);
    run({spool, SpoolBuilder(1, 2)});
    std::vector<std::string> found = events(0);
    ASSERT_FALSE(found.empty());
    found.erase(found.begin());
    EXPECT_EQ(found, c.found) << c.name;
  }
}

// Spools of version 4 have no classes; what they have in the place of them is 0.
TEST_F(Assemble, SpoolsWithoutErrorClassesAreRead) {
  SpoolBuilder spool(0, 1);
  spool.header.version = PL_OLDEST_SPOOL_VERSION;
  spool.call("MPI_Comm_rank", PL_LAYOUT_NONE, 2'000, 2'100, {});
  run({spool});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Comm_rank @0", "leave MPI_Comm_rank @100"));
}

TEST(FailedCalls, EveryClassHasItsNameOfTheStandard) {
  EXPECT_EQ(name_of_error(PL_ERROR_BUFFER), "MPI_ERR_BUFFER");
  EXPECT_EQ(name_of_error(PL_ERROR_RMA_SHARED), "MPI_ERR_RMA_SHARED");
  EXPECT_EQ(name_of_error(PL_ERROR_REVOKED), "MPI_ERR_REVOKED");
  EXPECT_LE(PL_ERRORS, static_cast<int>(PL_ERROR_MASK) + 1) << "more classes than the head of a record can tell apart";
}

}  // namespace
}  // namespace plumbline::record
