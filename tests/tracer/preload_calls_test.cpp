// What the tracer records of real MPI programs, against what tests/tracer/programs do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Calls : public OnBothMpis {};
INSTANTIATE_TEST_SUITE_P(Mpi, Calls, kBothMpis, name_of_mpi);

// "peer tag bytes" of every send of a blocking or non-blocking kind.
std::vector<std::string> sends_of(const Content& c) {
  std::vector<std::string> found;
  for (const Call& call : c.calls)
    if (call.layout == PL_LAYOUT_SEND)
      found.push_back(fmt::format("{} {} {} {}", call.name, call.low(0), call.high(0), call.number(1)));
  return found;
}

TEST_P(Calls, PointToPoint) {
  const auto ranks = record("point_to_point", 2);
  ASSERT_EQ(ranks.size(), 2u);
  const Content &zero = *ranks[0], &one = *ranks[1];
  EXPECT_TRUE(zero.spool.remarks().empty() && one.spool.remarks().empty());
  EXPECT_EQ(zero.spool.header().world_rank, 0);
  EXPECT_EQ(one.spool.header().world_size, 2);
  EXPECT_EQ(zero.spool.header().end, PL_END_FINALIZED);

  EXPECT_THAT(sends_of(zero),
              ElementsAre("MPI_Send 1 11 16", "MPI_Ssend 1 12 16", "MPI_Send 1 13 0", "MPI_Send -2 14 0",
                          "MPI_Send 1 50 0", "MPI_Send 1 61 0", "MPI_Send 99 80 4", "MPI_Send 0 81 0"));
  // posted source, posted tag, bytes, matched source, matched tag
  std::vector<std::string> received;
  for (const Call& call : one.of("MPI_Recv"))
    received.push_back(
        fmt::format("{} {} {} {} {}", call.low(0), call.high(0), call.number(1), call.low(3), call.high(3)));
  EXPECT_THAT(received, ElementsAre("-1 -1 16 0 11", "0 12 16 0 12", "0 13 0 0 13", "-2 14 0 -2 -1", "0 50 0 0 50",
                                    "0 61 0 0 61"));

  const Call& both = one.only("MPI_Sendrecv");
  EXPECT_EQ(both.low(0), 0);
  EXPECT_EQ(both.high(0), 21);
  EXPECT_EQ(both.number(1), 32);
  EXPECT_EQ(both.low(3), 0);
  EXPECT_EQ(both.high(3), 20);
  EXPECT_EQ(both.number(4), 32);
  EXPECT_EQ(zero.only("MPI_Sendrecv_replace").number(1), 12);
  EXPECT_EQ(zero.only("MPI_Sendrecv_replace").number(4), 12);
}

TEST_P(Calls, CompletionsNameTheirRequests) {
  const auto ranks = record("point_to_point", 2);
  ASSERT_EQ(ranks.size(), 2u);
  const std::vector<Call> posted = ranks[0]->of("MPI_Irecv");
  ASSERT_EQ(posted.size(), 4u);
  EXPECT_EQ(posted[2].high(0), 42);
  EXPECT_EQ(posted[2].low(0), PL_ANY_SOURCE);

  // [1 request] (1 completed) [id] (completion of two words): of the three given, the third, tag 42, came first.
  const Call& any = ranks[0]->only("MPI_Waitany");
  ASSERT_EQ(any.words.size(), 2u + 1 + 2);
  EXPECT_EQ(any.low(0), 1);
  EXPECT_EQ(any.low(1), 1);
  EXPECT_EQ(any.low(2), posted[2].high(2));
  EXPECT_EQ(any.high(2), 0);
  EXPECT_EQ(any.words[3], PL_COMPLETED | 4);
  EXPECT_EQ(any.low(4), 1);
  EXPECT_EQ(any.high(4), 42);

  std::vector<int> completed, ids;  // tags and requests, over all Testsome that completed something
  for (const Call& some : ranks[0]->of("MPI_Testsome")) {
    if (some.low(1) == 0) {  // the two that are still to come, and MPI_REQUEST_NULL
      EXPECT_THAT((std::vector{some.low(0), some.low(2), some.high(2), some.low(3)}),
                  ElementsAre(3, ::testing::AnyOf(0, posted[0].high(2)), posted[1].high(2), 0));
      continue;
    }
    ASSERT_EQ(some.low(0), some.low(1));
    const auto n = static_cast<std::size_t>(some.low(0)), completions = 2 + (n + 1) / 2;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(some.words[completions + 2 * i], PL_COMPLETED | 4);
      completed.push_back(some.high(completions + 2 * i + 1));
      ids.push_back(i % 2 == 0 ? some.low(2 + i / 2) : some.high(2 + i / 2));
    }
  }
  EXPECT_THAT(ids, ElementsAre(posted[0].high(2), posted[1].high(2)));
  EXPECT_THAT(completed, ElementsAre(40, 41));

  const Call all = ranks[1]->of("MPI_Waitall").front();  // two sends and MPI_REQUEST_NULL
  EXPECT_EQ(all.low(1), 2);
  EXPECT_EQ(all.low(2), ranks[1]->of("MPI_Isend")[1].high(2));
  EXPECT_EQ(all.low(3), 0);
  EXPECT_EQ(all.words[4], PL_COMPLETED | PL_COMPLETED_SEND);
  EXPECT_EQ(all.words[8], 0u);
}

// Else the thousand requests would leave a thousand lists of a thousand.
TEST_P(Calls, WhatIsTakenOneByOneIsListedOneByOne) {
  const auto ranks = record("waitany", 1);
  ASSERT_EQ(ranks.size(), 1u);
  std::vector<std::int32_t> posted, taken;
  for (const Call& call : ranks[0]->calls)
    if (call.layout == PL_LAYOUT_RECV || call.layout == PL_LAYOUT_SEND) posted.push_back(call.high(2));
  const std::vector<Call> waits = ranks[0]->of("MPI_Waitany");
  ASSERT_EQ(waits.size(), 1001u);
  for (const Call& wait : waits) {
    if (!wait.done) continue;
    ASSERT_EQ(wait.words.size(), 5u);
    ASSERT_EQ(wait.low(1), 1);
    ASSERT_NE(wait.words[3] & PL_COMPLETED, 0u);
    taken.push_back(wait.low(2));
  }
  ASSERT_EQ(posted.size(), 1002u);
  const Call& last = waits.back();  // it never returned: all that it was given
  EXPECT_FALSE(last.done);
  EXPECT_EQ(last.low(0), 2);
  EXPECT_EQ(last.low(2), posted[1000]);
  EXPECT_EQ(last.high(2), posted[1001]);
  posted.resize(1000);
  EXPECT_THAT(taken, ::testing::UnorderedElementsAreArray(posted));
}

TEST_P(Calls, ARunOfFailedTestsIsOneWait) {
  const auto ranks = record("point_to_point", 2);
  ASSERT_EQ(ranks.size(), 2u);
  const std::vector<Call> tests = ranks[0]->of("MPI_Test");
  // 1000 failed ones in front of the send. A gap beyond the threshold (the thread lost its core) begins another record.
  std::size_t records = 0, polls = 0;
  const Call reply = ranks[0]->of("MPI_Send").at(4);
  for (const Call& test : tests) {
    if (test.begin > reply.begin) continue;
    ++records;
    polls += static_cast<std::size_t>(test.high(1));
    EXPECT_EQ(test.low(1), 0);
  }
  EXPECT_EQ(polls + records, 1000u);
  EXPECT_LT(records, 100u);
  EXPECT_EQ(tests.back().low(1), 1);
  EXPECT_EQ(tests.back().words[3], PL_COMPLETED | 4);
  const Call probe = ranks[0]->of("MPI_Iprobe").back();
  EXPECT_EQ(probe.low(4), 1);
  EXPECT_EQ(probe.low(3), 1);
  EXPECT_EQ(probe.high(3), 62);
  EXPECT_EQ(probe.number(1), 4);
}

TEST_P(Calls, CallSitesLieInTheProgram) {
  const auto ranks = record("point_to_point", 2);
  ASSERT_EQ(ranks.size(), 2u);
  const Content& c = *ranks[0];
  ASSERT_FALSE(c.modules.empty());
  EXPECT_THAT(c.modules.back(), HasSubstr("/point_to_point"));
  // "(open at start)" announces a file, standard output for one if it is redirected into one; "(inner send)" and the
  // like are what the library does: the program called neither.
  for (const Call& call : c.calls) EXPECT_EQ(c.sites.contains(call.site), !call.name.starts_with('(')) << call.name;
  EXPECT_EQ(c.of("MPI_Irecv")[0].site, c.of("MPI_Irecv")[2].site);
  EXPECT_NE(c.of("MPI_Send")[0].site, c.of("MPI_Send")[2].site);
}

// "name root sent received" of the collectives on MPI_COMM_WORLD.
std::vector<std::string> volumes_of(const Content& c) {
  std::vector<std::string> found;
  for (const Call& call : c.calls)
    if (call.layout == PL_LAYOUT_COLLECTIVE && call.low(0) == PL_COMM_WORLD)
      found.push_back(fmt::format("{} {} {} {}", call.name.substr(4), call.high(0), call.number(1), call.number(2)));
  return found;
}

TEST_P(Calls, CollectivesTellWhatARankGivesAndGets) {
  const auto ranks = record("collectives", 4);
  ASSERT_EQ(ranks.size(), 4u);
  // Rank i has i + 1 ints in the v-collectives; a double has 8 bytes.
  EXPECT_THAT(volumes_of(*ranks[0]),
              ElementsAre("Barrier -1 0 0", "Bcast 1 0 40", "Reduce 2 24 0", "Allreduce -1 20 20", "Allreduce -1 24 24",
                          "Scan -1 8 8", "Exscan -1 8 0", "Gather 0 8 32", "Scatter 0 48 12", "Allgather -1 16 64",
                          "Alltoall -1 32 32", "Reduce_scatter_block -1 48 12", "Gatherv 1 4 0", "Scatterv 1 0 4",
                          "Allgatherv -1 4 40", "Alltoallv -1 16 40", "Alltoallw -1 16 40", "Reduce_scatter -1 40 4",
                          "Iallreduce -1 16 16"));
  EXPECT_THAT(volumes_of(*ranks[1]),
              ElementsAre("Barrier -1 0 0", "Bcast 1 40 0", "Reduce 2 24 0", "Allreduce -1 20 20", "Allreduce -1 24 24",
                          "Scan -1 8 8", "Exscan -1 8 8", "Gather 0 8 0", "Scatter 0 0 12", "Allgather -1 16 64",
                          "Alltoall -1 32 32", "Reduce_scatter_block -1 48 12", "Gatherv 1 8 40", "Scatterv 1 40 8",
                          "Allgatherv -1 8 40", "Alltoallv -1 32 40", "Alltoallw -1 32 40", "Reduce_scatter -1 40 8",
                          "Iallreduce -1 16 16"));

  const Call& gatherv = ranks[1]->only("MPI_Gatherv");
  EXPECT_THAT(gatherv.words,
              ElementsAre((std::uint64_t{1} << 32 | PL_COMM_WORLD), 8, 40, 0, std::uint64_t{4} << 32, 4, 8, 12, 16));
  EXPECT_EQ(ranks[0]->only("MPI_Gatherv").words.size(), 5u);
  const std::vector<std::uint64_t> both = ranks[2]->only("MPI_Alltoallw").words;
  EXPECT_THAT(std::vector(both.begin() + 4, both.end()),
              ElementsAre(std::uint64_t{4} << 32 | 4, 12, 12, 12, 12, 4, 8, 12, 16));
  const Call& later = ranks[0]->only("MPI_Iallreduce");
  EXPECT_EQ(later.low(3), ranks[0]->only("MPI_Wait").low(2));
  EXPECT_NE(later.low(3), 0);
}

// One rank makes one over a group before it duplicates the world, the next the other way round.
TEST_P(Calls, CommunicatorsOfEqualMembersAreTheSameOnesInWhateverOrderRanksMakeThem) {
  const auto ranks = record("comm_orders", 4);
  ASSERT_EQ(ranks.size(), 4u);
  for (const std::size_t nth : {0u, 1u}) {
    std::set<std::uint32_t> sequences;
    for (const auto& rank : ranks)
      sequences.insert(rank->comms.at(static_cast<std::uint32_t>(rank->of("MPI_Barrier").at(nth).low(0))).sequence);
    EXPECT_EQ(sequences.size(), 1u) << "barrier " << nth;
  }
}

TEST_P(Calls, CommunicatorsHaveTheirMembersByWorldRank) {
  const auto ranks = record("collectives", 4);
  ASSERT_EQ(ranks.size(), 4u);
  const Content& c = *ranks[2];
  EXPECT_THAT(c.comms.at(PL_COMM_WORLD).members, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(c.comms.at(PL_COMM_SELF).members, ElementsAre(2));

  const auto made_by = [&](const std::string& name, std::size_t nth) {
    return static_cast<std::uint32_t>(c.of(name).at(nth).low(1));
  };
  const std::uint32_t copy = made_by("MPI_Comm_dup", 0), half = made_by("MPI_Comm_split", 0);
  EXPECT_THAT(c.comms.at(copy).members, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(c.comms.at(copy).sequence, 1u);  // after MPI_COMM_WORLD
  EXPECT_EQ(c.comms.at(copy).parent, PL_COMM_WORLD);
  EXPECT_EQ(c.comm_names.at(copy), "the copy");
  EXPECT_THAT(c.comms.at(half).members, ElementsAre(2, 0));
  EXPECT_EQ(c.comms.at(half).own_rank, 0);
  EXPECT_EQ(made_by("MPI_Comm_split", 1), PL_COMM_NULL);
  EXPECT_THAT(c.comms.at(made_by("MPI_Cart_sub", 0)).members, ElementsAre(2, 3));
  const Comm& between = c.comms.at(made_by("MPI_Intercomm_create", 0));
  EXPECT_THAT(between.members, ElementsAre(2, 0));
  EXPECT_THAT(between.remote, ElementsAre(3, 1));
  EXPECT_THAT(c.comms.at(made_by("MPI_Intercomm_merge", 0)).members, ElementsAre(2, 0, 3, 1));

  const Call over = c.of("MPI_Bcast").back();  // rank 2 is MPI_ROOT of the other group
  EXPECT_EQ(static_cast<std::uint32_t>(over.low(0)), made_by("MPI_Intercomm_create", 0));
  EXPECT_EQ(over.high(0), -3);
  EXPECT_EQ(over.number(1), 4);
  EXPECT_EQ(ranks[0]->of("MPI_Bcast").back().high(0), -2);
  EXPECT_EQ(ranks[3]->of("MPI_Bcast").back().number(2), 4);
  EXPECT_EQ(static_cast<std::uint32_t>(c.only("MPI_Comm_free").low(0)), copy);
  // A handle may come again: the barrier is on the new communicator, not on the freed one.
  EXPECT_EQ(static_cast<std::uint32_t>(c.of("MPI_Barrier").back().low(0)), made_by("MPI_Comm_dup", 1));
}

TEST_P(Calls, FilesHaveTheirViewsHintsAndInnerCalls) {
  const auto ranks = record("files", 2, {"WORK"});
  ASSERT_EQ(ranks.size(), 2u) << outcome_.errors;
  const Content& c = *ranks[1];
  const Call open = c.of("MPI_File_open").at(0), failed = c.of("MPI_File_open").at(1);
  EXPECT_EQ(open.high(0), 9);  // CREATE | RDWR
  EXPECT_EQ(c.files.at(static_cast<std::uint32_t>(open.low(1))), (outcome_.work / "shared").string());
  EXPECT_EQ(open.high(2), 0);
  EXPECT_EQ(failed.high(2), 1);
  const auto file = static_cast<std::uint32_t>(open.low(2));
  EXPECT_THAT(c.hints.at({file, 0}), HasSubstr("cb_buffer_size=65536"));
  EXPECT_TRUE(c.hints.contains({file, 1}));

  const Call& at = c.only("MPI_File_write_at");
  EXPECT_EQ(at.high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT);
  EXPECT_THAT(std::vector(at.words.begin() + 1, at.words.end()), ElementsAre(1000, 1000, 1000, 0));
  const Call& all = c.only("MPI_File_write_all");
  EXPECT_EQ(all.high(0), PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE);
  EXPECT_THAT(std::vector(all.words.begin() + 1, all.words.end()), ElementsAre(0, 128, 128, 0));
  EXPECT_EQ(c.only("MPI_File_seek").number(2), 4);
  const Call& read = c.only("MPI_File_read");
  EXPECT_THAT(std::vector(read.words.begin() + 1, read.words.end()), ElementsAre(4, 24, 24, 0));
  const Call& later = c.only("MPI_File_iwrite_at");
  EXPECT_EQ(later.high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING);
  EXPECT_EQ(later.low(4), c.only("MPI_Wait").low(2));
  EXPECT_EQ(c.only("MPI_Wait").words[3], PL_COMPLETED | 8);

  const Call& view = c.only("MPI_File_set_view");
  EXPECT_EQ(view.number(1), 8);
  const Datatype &etype = c.types.at(static_cast<std::uint32_t>(view.low(2))),
                 &column = c.types.at(static_cast<std::uint32_t>(view.high(2)));
  EXPECT_EQ(etype.combiner, PL_TYPE_NAMED);
  EXPECT_EQ(etype.size, 4);
  EXPECT_EQ(column.combiner, PL_TYPE_VECTOR);
  EXPECT_THAT(column.integers, ElementsAre(16, 2, 4));
  EXPECT_THAT(column.types, ElementsAre(view.low(2)));
  EXPECT_EQ(column.size, 128);
  EXPECT_EQ(column.extent, (15 * 4 + 2) * 4);

  std::uint64_t inner = 0;  // bytes written below MPI_File_write_at
  for (const Call& call : c.calls)
    if (call.layout == PL_LAYOUT_POSIX_ACCESS && call.begin >= at.begin && call.end <= at.end) inner += call.words[3];
  EXPECT_EQ(inner, 1000u);
}

TEST_P(Calls, PosixCallsOnRegularFilesOnly) {
  const auto ranks = record("files", 2, {"WORK"});
  ASSERT_EQ(ranks.size(), 2u) << outcome_.errors;
  const Content& c = *ranks[0];
  const Call last = c.of("MPI_File_open").back();
  std::vector<std::string> after;
  for (const Call& call : c.calls) {
    if (call.begin < last.end || call.layout < PL_LAYOUT_POSIX_OPEN) continue;
    after.push_back(call.name);
  }
  EXPECT_THAT(after, ElementsAre("open", "write", "pwrite", "lseek", "read", "pread", "fsync", "dup", "close", "close",
                                 "open"));
  const Call open = c.of("open").at(c.of("open").size() - 2), missing = c.of("open").back();
  EXPECT_EQ(c.files.at(static_cast<std::uint32_t>(open.low(0))), (outcome_.work / "own.0").string());
  EXPECT_EQ(c.files.at(static_cast<std::uint32_t>(missing.low(0))), "/no/such/file");
  EXPECT_EQ(missing.number(1), -2);  // ENOENT
  const Call pread = c.of("pread").back();
  EXPECT_EQ(pread.high(0), PL_ACCESS_EXPLICIT);
  EXPECT_THAT(std::vector(pread.words.begin() + 1, pread.words.end()), ElementsAre(245, 10, 5));
  EXPECT_EQ(c.of("write").back().number(1), -1);
  EXPECT_EQ(c.of("lseek").back().number(2), 10);
  EXPECT_EQ(c.of("dup").back().low(0), open.low(1));
  EXPECT_THAT(outcome_.output, HasSubstr("errno 77"));
  EXPECT_THAT(outcome_.output, HasSubstr("missing: -1 No such file or directory"));
}

}  // namespace
}  // namespace plumbline::spool::test
