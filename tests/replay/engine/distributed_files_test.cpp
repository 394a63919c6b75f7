// Files on servers: what a replay makes of accesses to them. Times by hand; in server_world.hpp a message of z bytes
// crosses five components in 1 ns a byte each and two edges of 1 µs: 5 z ns + 2 µs. tests/golden/servers-posix is a
// whole replay.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "replay/engine/run/loop.hpp"
#include "replay/io/plan.hpp"
#include "server_world.hpp"

namespace plumbline::replay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Piece = io::ByteRange;

Duration way(std::int64_t bytes) { return nanoseconds(5 * bytes) + microseconds(2); }

// The data follows the request of one extent in the first component; the answer is an acknowledgement.
Duration write_time(std::int64_t bytes) { return nanoseconds(28) + way(bytes) + way(15); }
Duration read_time(std::int64_t bytes) { return way(28) + microseconds(50) + nanoseconds(bytes) + way(bytes); }

std::string error_of(const Program& program, const hw::Platform& platform) {
  try {
    run(program, platform);
  } catch (const Error& error) {
    return to_string(error.problems().front());
  }
  return "";
}

ReplayOptions keeping_operations() {
  ReplayOptions options{.mode = Mode::kFree};
  options.keep_file_operations = true;
  return options;
}

TEST(FilesOnServers, AreJudged) {
  const Program p = program_of(one_rank_per_node(1, "rank 0\n pwrite 0..500 file /pfs/x +3us\n"));
  EXPECT_TRUE(not_judged(p, with_servers(1, 1)).empty());
  EXPECT_EQ(duration(run(p, with_servers(1, 1)).times[0][0]), write_time(500));
}

TEST(FilesOnServers, ACollectiveReadAndItsExchangeTakeWhatServersAndMessagesTake) {
  // Two stripes on two servers: each aggregator reads its own stripe, nobody has anything for the other. The data of
  // rank 1 waits in the switch for that of rank 0.
  const Program p = program_of(
      one_rank_per_node(2, "rank 0\n read_at_all 0..1000 file /pfs/x\nrank 1\n read_at_all 1000..2000 file /pfs/x\n"));
  const ReplayResult r = run(p, with_servers(2, 2));
  EXPECT_EQ(duration(r.times[0][0]), read_time(1000));
  EXPECT_EQ(duration(r.times[1][0]), read_time(1000) + nanoseconds(1000));
  EXPECT_EQ(r.messages, 0);
}

TEST(FilesOnServers, AMessageAndAWriteShareTheCableOfTheirNode) {
  const std::string write = "rank 0\n pwrite 0..10000000 file /pfs/x\n";
  const std::string message = "rank 1\n send 2 tag 0 10000000B\nrank 2\n recv 1 tag 0 10000000B\n";
  const std::string where = "ranks 3\nnode n0 ranks 0-1 cores 4\nnode n1 ranks 2 cores 4\n";
  const hw::Platform platform = with_servers(2, 1);
  const Duration alone = duration(run(program_of(where + write), platform).times[0][0]);
  const ReplayResult both = run(program_of(where + write + message), platform);
  // Ten packets of 1 MB each, so 10 ms of the cable. The request of the message comes behind the first packets of the
  // write; then packets take turns.
  EXPECT_GT(alone, milliseconds(10));
  EXPECT_LT(alone, milliseconds(15));
  EXPECT_GT(duration(both.times[0][0]), alone + milliseconds(3));
  EXPECT_GT(duration(both.times[2][0]), milliseconds(20));
}

TEST(FilesOnServers, ARankAsksThroughItsSocketAndAServerAnswersThroughTheFirst) {
  hw::Platform platform = with_servers(1, 1);
  for (hw::Node& node : platform.nodes) {
    const hw::Parameter<BytesPerSecond> rate{{1'000'000'000}, 0, ""};
    node.cores = 2;
    node.sockets.emplace();
    node.sockets->count = 2;
    node.sockets->rate = node.sockets->local_rate = node.sockets->link_rate = node.sockets->interconnect_rate = rate;
    node.sockets->latency.value = nanoseconds(100);
  }
  const Program p = program_of("ranks 2\nnode n0 ranks 0-1 cores 2\nrank 0\nrank 1\n pwrite 0..500 file /pfs/x\n");
  // Three components and a link of 100 ns more at each end.
  const auto far = [](std::int64_t bytes) { return way(bytes) + nanoseconds(6 * bytes + 200); };
  const ReplayOptions options{.mode = Mode::kFree, .record_use = true};
  replay::engine::Run replayed(p, platform, options, nullptr);
  const ReplayResult result = *replay::engine::run_to_end(replayed);
  EXPECT_EQ(duration(result.times[1][0]), nanoseconds(28) + far(500) + far(15));
  const std::vector<hw::BusyComponent> busy = hw::busiest(result.use, 100);
  const auto bytes_of = [&](const std::string& name) {
    for (const hw::BusyComponent& component : busy)
      if (component.name == name) return component.use.bytes;
    return Bytes{};
  };
  EXPECT_EQ(bytes_of("n0 socket 0"), Bytes{0});
  EXPECT_EQ(bytes_of("n0 socket 1"), Bytes{28 + 500 + 15});
  EXPECT_EQ(bytes_of("n1 socket 0"), Bytes{28 + 500 + 15});
}

// Rank 1 answers in its irecv, and the data arrives while it asks the servers. Rank 0 waits for the copy, and rank 1
// for rank 0, in the barrier of the open.
TEST(FilesOnServers, WhatArrivesWhileTheyAreAskedIsCopiedBeforeTheRankWaitsForOthers) {
  hw::Platform platform = with_servers(1, 1);
  platform.inside.sender_free = hw::SenderFree::kCopied;
  platform.file_systems.back().open.value = microseconds(100);
  const Program p = program_of(
      "ranks 2\nnode n0 ranks 0-1 cores 2\nrank 0\n send 1 tag 0 5kB\n open /pfs/x collective\n"
      "rank 1\n @2us irecv 0 tag 0 5kB -> a\n open /pfs/x collective\n wait a\n");
  EXPECT_EQ(stuck_text(p, platform), "");
}

TEST(FilesOnServers, ANetworkOfLogGPHasNoWayToThem) {
  hw::Platform platform = with_servers(1, 1);
  platform.network = hw::NetworkKind::kLogGP;
  const Program p = program_of(one_rank_per_node(1, "rank 0\n pwrite 0..500 file /pfs/x\n"));
  EXPECT_THAT(error_of(p, platform), HasSubstr("'/pfs/x' is on 'pfs'"));
  EXPECT_THAT(error_of(p, platform), HasSubstr("use network=\"store-and-forward\""));
  const Program other = program_of(one_rank_per_node(1, "rank 0\n pwrite 0..500 file /data/x\n"));
  EXPECT_EQ(error_of(other, platform), "") << "nothing of the program is there";
}

TEST(FilesOnServers, ALocalFileSystemNeedsAServerOnTheNodeOfTheRank) {
  hw::Platform platform = with_servers(2, 1);
  platform.file_systems.back().distribution.local = true;
  const Program p = program_of(one_rank_per_node(2, "rank 0\nrank 1\n pwrite 0..500 file /pfs/x\n"));
  EXPECT_THAT(error_of(p, platform), HasSubstr("rank 1 uses the local file system 'pfs' on a node that has no server"));
  platform.servers[0].node = 1;
  EXPECT_EQ(error_of(p, platform), "");
}

TEST(FilesOnServers, ANonBlockingWriteEndsInItsWait) {
  const auto times = [](std::int64_t compute_us) {
    return run(program_of(one_rank_per_node(
                   1, fmt::format("rank 0\n iwrite_at 0..500 file /pfs/x -> a\n compute {}us\n wait a\n", compute_us))),
               with_servers(1, 1))
        .times[0];
  };
  EXPECT_EQ(duration(times(1)[0]), Duration{});
  EXPECT_EQ(times(1)[1].end, Time{} + write_time(500));
  EXPECT_EQ(duration(times(100)[1]), Duration{}) << "it is over long before";
}

TEST(FilesOnServers, ASplitReadOfRomioTakesInTheCallThatBeginsWhatTheBlockingOneTakes) {
  const auto times = [](std::string verb, const std::string& rest, Form form) {
    std::string body = "property library = \"MPICH 4.0.2\"\n";
    for (int r = 0; r < 2; ++r)
      body += fmt::format("rank {}\n {} layout \"disp={} extent=1000 size=500: 500@0\" 4000B file /pfs/x{}", r, verb,
                          500 * r, rest);
    const ReplayResult result = run(program_of(one_rank_per_node(2, body)), with_servers(2, 2), Mode::kFree, form);
    return std::pair{duration(result.times[0][0]), duration(result.times[1][0])};
  };
  for (const Form form : {Form::kIdeal, Form::kAsConfigured})
    EXPECT_EQ(times("iread_at_all", " -> s call MPI_File_read_at_all_begin\n wait s\n", form),
              times("read_at_all", "\n", form));
}

TEST(FilesOnServers, TheIdealOfManyPiecesIsOneCallWithAListOfThem) {
  const Program p = program_of(
      one_rank_per_node(1, "rank 0\n write_at layout \"disp=0 extent=2000 size=500: 500@0\" 1500B file /pfs/x\n"));
  const hw::Platform platform = with_servers(1, 2);
  const ReplayOptions options = keeping_operations();
  replay::engine::Run replayed(p, platform, options, nullptr);
  const ReplayResult result = *replay::engine::run_to_end(replayed);
  // All pieces lie on the same server: a request of 20 + 3 * 8 bytes, then the data.
  EXPECT_EQ(duration(result.times[0][0]), nanoseconds(44) + way(1500) + way(15));
  EXPECT_EQ(result.file_operations[0].size(), 3);
  EXPECT_EQ(ideal_io(p, platform).front().operations, 1);
}

TEST(FilesOnServers, AggregatorsAreNoMoreThanStripesAndShareNone) {
  const hw::FileSystem pfs = with_servers(1, 2).file_systems.back();
  std::vector<io::Part> parts;
  for (std::uint32_t r = 0; r < 4; ++r) parts.push_back({r, io::contiguous(500 + 700 * r, 700)});  // 500 to 3300
  const io::CollectivePlan plan = plan_collective(pfs, hw::Access::kWrite, parts);
  ASSERT_EQ(plan.domains.size(), 4);
  EXPECT_THAT(plan.domains[0].list, ElementsAre(Piece{500, 1000}));
  EXPECT_THAT(plan.domains[1].list, ElementsAre(Piece{1000, 2000}));
  EXPECT_THAT(plan.domains[3].list, ElementsAre(Piece{3000, 3300}));
  parts.resize(3);
  parts[2].footprint = io::contiguous(1900, 50);
  EXPECT_EQ(plan_collective(pfs, hw::Access::kWrite, parts).domains.size(), 2);
}

TEST(FilesOnServers, WhatWasRecordedInsideDrivesThem) {
  const std::string calls = "read 0..1000 then write 0..500";
  const Program inside = program_of(one_rank_per_node(
      1, "rank 0\n open /pfs/x\n write_at 0..500 +500us\n  inner pread 0..1000 +3us\n  inner pwrite 0..500 +3us\n"));
  const ReplayResult as_run = run(inside, with_servers(1, 1), Mode::kFree, Form::kAsRun);
  EXPECT_EQ(duration(as_run.times[0][1]), read_time(1000) + write_time(500)) << calls;
  EXPECT_EQ(duration(run(inside, with_servers(1, 1)).times[0][1]), write_time(500));
}

TEST(FilesOnServers, OpenAndCloseAskTheMetadataServer) {
  hw::Platform platform = with_servers(1, 1);
  hw::Distribution& spread = platform.file_systems.back().distribution;
  spread.metadata = 0;
  spread.create.value = microseconds(300);
  spread.lookup.value = microseconds(200);
  spread.close.emplace().value = microseconds(100);
  const Program p = program_of(
      one_rank_per_node(1, "rank 0\n posix_open /pfs/x\n posix_close\n posix_open /pfs/y call creat\n posix_close\n"));
  const ReplayResult r = run(p, platform);
  EXPECT_EQ(duration(r.times[0][0]), way(20) + microseconds(200) + way(15));
  EXPECT_EQ(duration(r.times[0][1]), way(20) + microseconds(100) + way(15));
  EXPECT_EQ(duration(r.times[0][2]), way(20) + microseconds(300) + way(15));
}

TEST(FilesOnServers, ReadsEndAtTheEndOfAFileThatTheRunHasMade) {
  const Program p =
      program_of(one_rank_per_node(1,
                                   "rank 0\n posix_open /pfs/new call creat\n pwrite 0..300\n pread 0..900\n"
                                   " posix_open /pfs/old\n pwrite 0..300\n pread 0..900\n"));
  const ReplayResult r = run(p, with_servers(1, 1, hw::CachePolicy::kPageCache));
  const auto from_memory = [](std::int64_t bytes) { return way(28) + way(bytes); };
  EXPECT_EQ(duration(r.times[0][2]), from_memory(300));
  EXPECT_EQ(duration(r.times[0][5]), from_memory(900));
}

TEST(FilesOnServers, APageCacheHoldsWhatIsReadAtBestAndNothingAtWorst) {
  const Program p = program_of(one_rank_per_node(
      1, "rank 0\n pread 0..900 file /pfs/x\n pwrite 0..900 file /pfs/x\n pread 0..900 file /pfs/x\n"));
  const hw::Platform platform = with_servers(1, 1, hw::CachePolicy::kPageCache);
  const ReplayResult best = run(p, platform);
  const ReplayResult worst = run(p, platform, Mode::kFree, Form::kIdeal, hw::CacheCase::kDevice);
  EXPECT_EQ(duration(best.times[0][0]), way(28) + way(900));
  EXPECT_EQ(duration(best.times[0][1]), write_time(900));
  EXPECT_EQ(duration(best.times[0][2]), way(28) + way(900));
  const Duration device = microseconds(50) + nanoseconds(900);
  EXPECT_EQ(duration(worst.times[0][0]), read_time(900));
  EXPECT_EQ(duration(worst.times[0][1]), write_time(900) + device);
  EXPECT_EQ(duration(worst.times[0][2]), read_time(900));
}

// At best a page cache writes back from the first byte on, so that a late sync finds nothing to do; at worst a sync
// writes all of it again.
TEST(FilesOnServers, ASyncFindsWhatTheDevicesHaveNotDoneAtBestAndEverythingAtWorst) {
  const Program p =
      program_of(one_rank_per_node(1, "rank 0\n posix_open /pfs/x\n pwrite 0..900\n compute 1ms\n fsync\n fsync\n"));
  const hw::Platform platform = with_servers(1, 1, hw::CachePolicy::kPageCache);
  const ReplayResult best = run(p, platform);
  const ReplayResult worst = run(p, platform, Mode::kFree, Form::kIdeal, hw::CacheCase::kDevice);
  EXPECT_EQ(duration(best.times[0][2]), way(20) + way(15));
  EXPECT_EQ(duration(worst.times[0][2]), way(20) + microseconds(50) + nanoseconds(900) + way(15));
  EXPECT_EQ(duration(worst.times[0][3]), way(20) + way(15)) << "nothing was written since";
}

TEST(FilesOnServers, HintsSayHowAFileIsSpread) {
  const std::string body = "rank 0\n posix_open /pfs/x\n pwrite 0..4000\n fsync\n";
  const auto parts = [&](const std::string& property) {
    const Program p = program_of("ranks 1\nnode n0 ranks 0 cores 1\n" + property + body);
    const hw::Platform platform = with_servers(1, 4);
    const ReplayOptions options{.mode = Mode::kFree};
    replay::engine::Run replayed(p, platform, options, nullptr);
    replay::engine::run_to_end(replayed);
    std::vector<std::uint64_t> bytes;
    for (std::uint32_t i = 0; i < 4; ++i)
      bytes.push_back(replayed.distributed->servers().server(i).device_use().written.count);
    return bytes;
  };
  EXPECT_THAT(parts(""), ElementsAre(1000, 1000, 1000, 1000));
  EXPECT_THAT(parts("property hints:/pfs/x = \"striping_factor=1\\nstart_iodevice=2\"\n"), ElementsAre(0, 0, 4000, 0));
  EXPECT_THAT(parts("property hints:/pfs/x = \"striping_unit=2000\\nstriping_factor=2\\nstart_iodevice=3\"\n"),
              ElementsAre(2000, 0, 0, 2000));
}

// ROMIO sieves the writes of ranks whose pieces lie between each other: each locks, reads and writes the window.
TEST(FilesOnServers, RanksThatSieveWaitForEachOthersLocks) {
  std::string body;
  for (int r = 0; r < 2; ++r)
    body += fmt::format(
        "rank {}\n write_at layout \"disp={} extent=200 size=100: 100@0\" 400B file /pfs/x hints "
        "\"romio_ds_write=enable\"\n",
        r, 100 * r);
  const Program p = program_of(
      "ranks 2\nnode n0 ranks 0 cores 1\nnode n1 ranks 1 cores 1\nproperty library = \"MPICH 4.0.2\"\n" + body);
  ReplayOptions options = keeping_operations();
  options.form = Form::kAsConfigured;
  const ReplayResult r = replay::replay(p, with_servers(2, 1), options);
  EXPECT_EQ(r.file_operations[0].size(), 4);
  const Duration one = read_time(700) + write_time(700);
  EXPECT_GE(duration(r.times[0][0]), one);
  EXPECT_GE(duration(r.times[1][0]), one * 2 - write_time(700));
}

TEST(FilesOnServers, ARankThatWaitsForThemIsNamedWhenAReplayIsStuck) {
  const Program p = program_of(one_rank_per_node(1, "rank 0\n pwrite 0..500 file /pfs/x\n"));
  const hw::Platform platform = with_servers(1, 1);
  sim::EventQueue queue;
  const mpi::Noise silence;
  const std::vector<std::uint32_t> nodes = {0};
  mpi::Engine engine(p, platform, nodes, false, silence, queue);
  const ModelCoverage coverage(p, platform);
  DistributedFiles files(p, platform, coverage, nodes, engine.packet_network(), engine.components(),
                         hw::CacheCase::kCached, {}, queue);
  EXPECT_EQ(files.waits_for(0), "");
  files.access({FileCall::For::kRank, 0}, 0, {io::FileAction::kWrite, 0, 500});
  std::vector<StuckRank> stuck = {{0, 0}};
  stuck[0].waits_for = files.waits_for(0);
  const std::vector<std::uint32_t> next = {0};
  try {
    throw_stuck(p, engine, nullptr, stuck, next);
  } catch (const Error& error) {
    EXPECT_THAT(error.problems().front().what, HasSubstr("pwrite: waits for file servers, to write to '/pfs/x'"));
  }
}

}  // namespace
}  // namespace plumbline::replay::test
