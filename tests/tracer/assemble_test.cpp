// What an archive says of a run as a whole: processes, threads, ends, servers.

#include <gmock/gmock.h>

#include "base/error.hpp"
#include "tests/tracer/assemble_fixture.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::Reader;
using test::Assemble;
using test::pair;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Assemble, AMessageIsASendAndAReceiveInTheirCalls) {
  SpoolBuilder sender(0, 2), receiver(1, 2);
  sender.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  receiver.call("MPI_Recv", PL_LAYOUT_RECV, 2'500, 3'500,
                {pair(PL_ANY_SOURCE, 7), 64, pair(PL_COMM_WORLD, 0), pair(0, 7)});
  const AssembleSummary summary = run({sender, receiver});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Send @0", "send 1:7 64B", "leave MPI_Send @1000"));
  EXPECT_THAT(events(1), ElementsAre("enter MPI_Recv @500", "recv 0:7 64B POSTED_SOURCE=-1", "leave MPI_Recv @1500"));
  EXPECT_EQ(summary.ranks, 2U);
  EXPECT_EQ(summary.operations, 2U);
  EXPECT_EQ(summary.message_bytes, 64U);
  EXPECT_THAT(summary.remarks, ElementsAre());
  EXPECT_EQ(definitions().start_realtime_ns, SpoolBuilder::kRealtime + 2'000);
  EXPECT_EQ(definitions().length, nanoseconds(1'500));
}

TEST_F(Assemble, TheArchiveSaysWhereItComesFrom) {
  SpoolBuilder spool(0, 1);
  spool.header.cost_inside_ticks = 30;
  spool.define_text(PL_DEF_META, 0x3d'79'65'6bULL | 0x31ULL << 32, "");  // "key=1"
  run({spool});
  const Definitions& d = definitions();
  EXPECT_EQ(d.properties.at("PLUMBLINE::KIND"), "observed");
  EXPECT_THAT(d.creator, HasSubstr("plumbline "));
  const auto& p = d.location_groups[0].properties;
  EXPECT_EQ(p.at("PLUMBLINE::HOST"), "kn1");
  EXPECT_EQ(p.at("PLUMBLINE::CORES"), "4");
  EXPECT_EQ(p.at("PLUMBLINE::MPI_LIBRARY"), "Open MPI v4.1.4");
  EXPECT_EQ(p.at("PLUMBLINE::PROGRAM"), "./app x");
  EXPECT_EQ(p.at("PLUMBLINE::COST_INSIDE_PS"), "30000");
  EXPECT_EQ(p.at("PLUMBLINE::END"), "finalized");
  EXPECT_EQ(p.at("PLUMBLINE::META::key"), "1");
  EXPECT_EQ(d.strings[d.location_groups[0].name], "MPI Rank 0");
  EXPECT_EQ(d.strings[d.system_tree[d.location_groups[0].system_tree_node].name], "kn1");
}

TEST_F(Assemble, ACallThatNeverReturnedIsLeftAtTheLastKnownTime) {
  SpoolBuilder spool(0, 2);
  spool.header.end = PL_END_RUNNING;
  spool.header.last.ticks = 0;
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.call("MPI_Recv", PL_LAYOUT_RECV, 4'000, 0, {pair(1, 0), 64, pair(PL_COMM_WORLD, 0), 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Barrier @0", "collective", "op 0 comm 0 root -1 0/0", "leave MPI_Barrier @1000",
                          "enter MPI_Recv @2000 POSTED_SOURCE=1 POSTED_TAG=0 BUFFER_BYTES=64 COMM=0",
                          "leave MPI_Recv @2000 UNFINISHED=1"));
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: killed or lost: no end was written",
                                           "rank 0: MPI_Recv had not returned when it ended"));
  EXPECT_EQ(definitions().location_groups[0].properties.at("PLUMBLINE::END"), "killed or lost: no end was written");
}

TEST_F(Assemble, TimeOffTheCpuGoesToTheNextCall) {
  SpoolBuilder spool(0, 1);
  spool.define(PL_DEF_RUN_DELAY, {500}, 2'000, 2'000);  // the base line
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.define(PL_DEF_RUN_DELAY, {1'700}, 3'000, 9'000);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 9'000, 9'100, {pair(PL_COMM_WORLD, -1), 0, 0});
  run({spool});
  EXPECT_EQ(events(0)[0], "enter MPI_Barrier @0");
  EXPECT_EQ(events(0)[4], "enter MPI_Barrier @7000 RUN_DELAY=1200000");
}

TEST_F(Assemble, FurtherThreadsAreLocationsWithoutARank) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.thread(1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'500, 3'000, {pair(PL_COMM_SELF, -1), 0, 0});
  run({spool});
  ASSERT_EQ(definitions().locations.size(), 2U);
  EXPECT_EQ(definitions().locations[0].rank, 0U);
  EXPECT_EQ(definitions().locations[1].rank, std::nullopt);
  EXPECT_EQ(definitions().locations[1].group, 0U);
  EXPECT_EQ(events(1)[0], "enter MPI_Barrier @500");
}

TEST_F(Assemble, AMissingRankIsRemarkedAndStaysEmpty) {
  SpoolBuilder spool(1, 3);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(-1, -1)});
  EXPECT_THAT(summary.remarks, ElementsAre("1 process did not get through MPI_Init and is left out",
                                           "2 of 3 ranks have no spool (0, 2): their locations are empty"));
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(definitions().world_size(), 3U);
  EXPECT_THAT(events(0), ElementsAre());
  EXPECT_EQ(events(1).size(), 4U);
}

TEST_F(Assemble, SpoolsOfTwoRunsAreRefused) {
  SpoolBuilder a(0, 2), again(0, 2), other(1, 4);
  again.header.boot_id[0] = 'x';
  const std::filesystem::path first = a.write(directory_.path());
  std::filesystem::create_directory(directory_.path() / "more");
  EXPECT_THROW(assemble({first, again.write(directory_.path() / "more")}, directory_.path() / "obs", Overwrite::kNo),
               Error);
  EXPECT_THROW(assemble({first, other.write(directory_.path())}, directory_.path() / "obs", Overwrite::kNo), Error);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "obs"));
}

TEST_F(Assemble, ProcessesWithoutMpiComeBehindTheRanksAndSpeakForNone) {
  SpoolBuilder rank(0, 1), server(-1, -1), idle(-1, -1);
  rank.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 9'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  for (SpoolBuilder* process : {&server, &idle}) {
    process->header.flavour = PL_FLAVOUR_NONE;
    process->header.end = PL_END_RUNNING;  // it was ended by a signal: as servers are
    process->define_text(PL_DEF_FILE, 1, "/data");
    process->call("(open at start)", PL_LAYOUT_POSIX_OPEN, 1'500, 1'500, {pair(1, 0), 3});
  }
  std::strcpy(server.header.program, "/usr/sbin/filed --port 1");
  server.header.pid = 42;
  server.thread(1);
  server.call("pwrite", PL_LAYOUT_POSIX_ACCESS, 3'000, 4'000,
              {pair(3, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 0, 64, 64});
  std::filesystem::create_directory(directory_ / "idle");
  std::filesystem::create_directory(directory_ / "server");
  const AssembleSummary summary =
      assemble({rank.write(directory_.path()), server.write(directory_ / "server"), idle.write(directory_ / "idle")},
               directory_.path() / "obs", Overwrite::kYes);
  reader_ = std::make_unique<Reader>(directory_.path() / "obs");
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(summary.servers, 1U);
  EXPECT_EQ(summary.idle_servers, 1U) << "it only had a file open";
  EXPECT_THAT(summary.remarks, ElementsAre());
  const Definitions& d = definitions();
  EXPECT_EQ(d.world_size(), 1U);
  ASSERT_EQ(d.location_groups.size(), 2U);
  EXPECT_EQ(d.strings[d.location_groups[1].name], "filed (pid 42)");
  EXPECT_EQ(d.location_groups[1].properties.at("PLUMBLINE::ROLE"), "server");
  EXPECT_EQ(d.location_groups[0].properties.count("PLUMBLINE::ROLE"), 0U);
  ASSERT_EQ(d.locations.size(), 3U);
  EXPECT_EQ(d.locations[2].rank, std::nullopt);
  EXPECT_THAT(events(2), ElementsAre(testing::StartsWith("enter pwrite @1500"), testing::StartsWith("write h"),
                                     testing::StartsWith("done h"), "leave pwrite @2500"));
}

TEST_F(Assemble, AnArchiveOfServersAloneHasNoWorld) {
  SpoolBuilder server(-1, -1);
  server.header.flavour = PL_FLAVOUR_NONE;
  server.define_text(PL_DEF_FILE, 1, "/data");
  server.call("unlink", PL_LAYOUT_POSIX_NAME, 2'000, 2'500, {pair(1, 0), 0});
  run({server});
  EXPECT_EQ(definitions().world_size(), 0U);
  EXPECT_EQ(definitions().comms.size(), 0U);
  EXPECT_THAT(events(0), ElementsAre("enter unlink @0 PATH=/data", "leave unlink @500"));
}

TEST_F(Assemble, CallsOfMpiInAServerAreDamageAndOnlyCalls) {
  SpoolBuilder server(-1, -1);
  server.header.flavour = PL_FLAVOUR_NONE;
  server.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(0, 1), pair(0, 0)});
  server.define(PL_DEF_WIN, {pair(1, 3), pair(PL_WIN_CREATE, 0), 64, 4});
  server.call("MPI_Comm_free", PL_LAYOUT_COMM, 2'000, 2'100, {pair(3, 0), pair(PL_COMM_NULL, 0)});
  server.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'200, 2'300, {pair(PL_COMM_WORLD, -1), 0, 0});
  server.call("MPI_Win_start", PL_LAYOUT_WIN_GROUP, 2'400, 2'500, {pair(1, 1), pair(1, 0), pair(0, 0)});
  server.call("(inner send)", PL_LAYOUT_INNER_MESSAGE, 2'410, 2'420, {0, 8, pair(1, 1)});
  run({server});
  EXPECT_EQ(definitions().comms.size(), 0U);
  EXPECT_EQ(definitions().locations.size(), 1U);
  EXPECT_THAT(inner_events(0), ElementsAre());
}

TEST_F(Assemble, NothingRecordedSaysWhatToCheck) {
  for (const std::vector<std::filesystem::path>& paths :
       {std::vector<std::filesystem::path>{}, {SpoolBuilder(-1, -1).write(directory_.path())}}) {
    try {
      assemble(paths, directory_.path() / "obs", Overwrite::kNo);
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("linked to Open MPI or MPICH dynamically"));
    }
  }
}

}  // namespace
}  // namespace plumbline::record
