// Replays of accesses as their library carries them out: who waits for whom, what stands in, and what holds for all.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "replay/engine/model_coverage.hpp"
#include "sim/random.hpp"
#include "support.hpp"

namespace plumbline::replay::test {
namespace {

using testing::HasSubstr;

constexpr char kMpich[] = "property library = \"MPICH 4.0.2\"\n";
constexpr char kOpenMpi[] = "property library = \"Open MPI v4.1.4\"\n";
constexpr char kRomioOfOpenMpi[] = "property library = \"Open MPI v4.1.4\"\nproperty mca:io = \"romio321\"\n";

Time at_us(std::int64_t n) { return Time{} + microseconds(n); }

ReplayResult configured(const Program& program, const hw::Platform& platform,
                        std::map<std::string, std::string> hints = {}, hw::CacheCase cache = hw::CacheCase::kCached) {
  ReplayOptions options;
  options.mode = Mode::kFree;
  options.form = Form::kAsConfigured;
  options.cache = cache;
  options.choices.hints = std::move(hints);
  options.keep_file_operations = true;
  return replay::replay(program, platform, options);
}

std::uint64_t number_of(const ReplayResult& result, std::uint32_t rank) { return result.file_operations[rank].size(); }

// ---- Who waits for whom. Rank 1 has nothing to write; rank 0 comes late.

std::string late_writer(const std::string& properties) {
  return "ranks 2\nnode n0 ranks 0-1 cores 4\n" + properties +
         "rank 0\n compute 1ms\n write_at_all 0..500 file /data/x\nrank 1\n write_at_all 500..500 file /data/x\n";
}

TEST(LibraryIo, IdeallyARankWithNothingToExchangeWaitsForNobody) {
  EXPECT_EQ(run(program_of(late_writer("")), star(1)).times[1][0].end, at_us(0));
}

TEST(LibraryIo, InRomioEveryRankWaitsForWhatTheOthersWant) {
  EXPECT_GE(configured(program_of(late_writer(kMpich)), free_of_cost(1)).times[1][0].end, at_us(1000));
}

TEST(LibraryIo, WithoutCollectiveBufferingRomiosRanksDoNotWait) {
  const ReplayResult r = configured(program_of(late_writer(kMpich)), star(1), {{"romio_cb_write", "disable"}});
  EXPECT_EQ(r.times[1][0].end, at_us(0));
}

TEST(LibraryIo, TwoRanksOfOmpioWriteEachForItself) {
  EXPECT_EQ(configured(program_of(late_writer(kOpenMpi)), star(1)).times[1][0].end, at_us(0));
}

TEST(LibraryIo, WhereOnlyPosixCallsWereRecordedTheLibraryTellsWhetherAllEndTogether) {
  const auto end_of_idle = [](const std::string& properties, const std::string& hints) {
    const Program p =
        program_of("ranks 2\nnode n0 ranks 0-1 cores 4\n" + properties +
                   "rank 0\n compute 1ms\n write_at_all 0..500 file /data/x " + hints +
                   "\n  inner pwrite 0..500\nrank 1\n write_at_all 500..500 file /data/x " + hints + "\n");
    return run(p, star(1), Mode::kFree, Form::kAsRun).times[1][0].end;
  };
  EXPECT_GT(end_of_idle(kMpich, ""), at_us(1000));
  EXPECT_GT(end_of_idle("", ""), at_us(1000));
  EXPECT_EQ(end_of_idle(kMpich, "hints romio_cb_write=disable"), at_us(0));
  EXPECT_EQ(end_of_idle(kOpenMpi, ""), at_us(0));
}

TEST(LibraryIo, AsRunWithNothingRecordedInsideIsAsConfigured) {
  const Program p = program_of(late_writer(kMpich));
  const ReplayResult as_run = run(p, star(1), Mode::kFree, Form::kAsRun), as_configured = configured(p, star(1));
  for (std::uint32_t rank : {0U, 1U}) EXPECT_EQ(as_run.times[rank][0].end, as_configured.times[rank][0].end);
}

TEST(LibraryIo, ARankThatDoesNotComeIsNamed) {
  for (const char* access : {"write_at_all 0..10 file /data/x",
                             "iwrite_at_all 0..10 file /data/x -> a call MPI_File_write_at_all_begin\n wait a"}) {
    const Program p = program_of(fmt::format("ranks 2\n{}rank 0\n {}\nrank 1\n", kMpich, access));
    try {
      configured(p, star(1));
      FAIL() << "it cannot end";
    } catch (const std::exception& error) {
      EXPECT_THAT(error.what(), HasSubstr("rank 1 in the same file access"));
    }
  }
}

// ---- What the rules do not cover

TEST(LibraryIo, WhatTheModelsDoNotCoverIsSaidAndLeftToTheIdealForm) {
  const auto remark = [](const std::string& text) {
    const ReplayResult r = configured(program_of("ranks 1\n" + text), star(1));
    EXPECT_EQ(r.io_remarks.size(), 1U);
    return r.io_remarks.empty() ? std::string() : r.io_remarks.front().reason;
  };
  const std::string mpich = kMpich;
  EXPECT_THAT(remark(mpich + "property filesystem:/data/x = lustre\nrank 0\n write_at 0..10 file /data/x\n"),
              HasSubstr("on Lustre"));
  EXPECT_THAT(remark("rank 0\n write_at 0..10 file /data/x\n"), HasSubstr("is not known"));
  EXPECT_THAT(remark(mpich + "rank 0\n write 10B file /data/x call MPI_File_write_shared\n"),
              HasSubstr("shared pointer"));
  EXPECT_THAT(remark(mpich + "rank 0\n iwrite_at 0..10 file /data/x -> a\n wait a\n"), HasSubstr("non-blocking"));
  EXPECT_THAT(remark(mpich + "rank 0\n write_at 0..10 file /data/x\n"), HasSubstr("no hints were recorded"));
}

TEST(LibraryIo, AnAccessOfWhichOnlyItsBytesWereRecordedIsOneCall) {
  const ReplayResult r = configured(
      program_of("ranks 1\n" + std::string(kMpich) + "rank 0\n write unknown 1000B file /data/x\n"), star(1));
  EXPECT_EQ(number_of(r, 0), 1);
  EXPECT_EQ(r.times[0][0].end, at_us(11));
}

TEST(LibraryIo, HintsThatAreAskedReplaceThoseInForce) {
  std::string text = "ranks 4\nnode n0 ranks 0-3 cores 4\n" + std::string(kMpich);
  for (int r = 0; r < 4; ++r)
    text += fmt::format(
        "rank {0}\n write_all layout \"disp={1} extent=4000 size=1000: 1000@0\" 2000B file /data/x hints "
        "\"cb_buffer_size=4000\\ncb_nodes=1\"\n",
        r, 1000 * r);
  const Program p = program_of(text);
  const ReplayResult in_force = configured(p, star(1));
  EXPECT_EQ(number_of(in_force, 0), 2);
  EXPECT_EQ(number_of(in_force, 1), 0);
  const ReplayResult asked = configured(p, star(1), {{"cb_nodes", "2"}, {"cb_config_list", "*:*"}});
  EXPECT_EQ(number_of(asked, 0), 1);
  EXPECT_EQ(number_of(asked, 1), 1);
  const ReplayResult off = configured(p, star(1), {{"romio_cb_write", "disable"}});
  for (std::uint32_t rank = 0; rank < 4; ++rank) EXPECT_EQ(number_of(off, rank), 4);  // lock, read, write, unlock
  EXPECT_TRUE(in_force.io_remarks.empty());
}

// A request to send comes while the aggregator reads the window: it is answered behind the call.
TEST(LibraryIo, ARendezvousWaitsForTheEndOfAPosixCall) {
  for (const char* library : {kMpich, kOpenMpi}) {
    std::string text = "ranks 4\nnode n0 ranks 0-3 cores 4\n" + std::string(library);
    for (int r = 0; r < 4; ++r)
      text += fmt::format(
          "rank {}\n write_all layout \"disp={} extent=40 size=8: 8@0\" 8192B file /data/x hints \"\"\n", r, 8 * r);
    EXPECT_GE(configured(program_of(text), star(1)).times[0][0].end, at_us(50)) << library;
  }
}

// ---- What holds for all

struct RandomIo {
  std::string text;
  std::uint64_t written = 0;  // bytes of collective and independent writes
};

const char* library_of(std::uint64_t seed) { return std::array{kMpich, kOpenMpi, kRomioOfOpenMpi}[seed % 3]; }

// Rounds of collective and independent accesses that are interleaved or lie one behind the other; ranks come at
// different times.
RandomIo random_io(std::uint64_t seed, const std::string& library) {
  sim::RandomStream random(seed, "files");
  const std::uint64_t ranks = 1 + random.below(6);
  std::string head = fmt::format("ranks {}\n", ranks) + library;
  for (std::uint64_t r = 0; r < ranks; ++r) head += fmt::format("node n{} ranks {} cores 4\n", r % 2, r);
  std::vector<std::string> bodies(ranks);
  RandomIo io;
  for (std::uint64_t round = 0, rounds = 1 + random.below(3); round < rounds; ++round) {
    const bool views = random.below(3) > 0, collective = random.below(3) > 0, writes = random.below(2) > 0;
    const std::uint64_t piece = 1 + random.below(700), stride = (ranks + random.below(2) + (ranks == 1)) * piece;
    const std::uint64_t pieces = 1 + random.below(40), base = random.below(1000);
    const std::string hints = fmt::format(
        "hints \"cb_buffer_size={}\\nind_wr_buffer_size={}\\nind_rd_buffer_size={}\\n{}\"", 1 + random.below(3000),
        1 + random.below(2000), 1 + random.below(2000), random.below(2) ? "cb_nodes=2" : "romio_cb_write=enable");
    const std::string verb = fmt::format("{}{}", writes ? "write_at" : "read_at", collective ? "_all" : "");
    for (std::uint64_t r = 0; r < ranks; ++r) {
      const std::uint64_t bytes = random.below(5) == 0 ? 0 : piece * pieces;
      const std::uint64_t from = base + r * (views ? piece : piece * pieces);
      const std::string view =
          views ? fmt::format("layout \"disp={} extent={} size={}: {}@0\" ", from, stride, piece, piece) : "";
      bodies[r] += fmt::format(" compute {}us\n {} {}{}..{} file /data/x {}\n", random.below(50), verb, view, from,
                               from + bytes, hints);
      if (writes) io.written += bytes;
    }
  }
  io.text = head;
  for (std::uint64_t r = 0; r < ranks; ++r) io.text += fmt::format("rank {}\n", r) + bodies[r];
  return io;
}

bool is_write(io::FileAction action) {
  return action == io::FileAction::kWrite || action == io::FileAction::kVectorWrite ||
         action == io::FileAction::kSubmitWrite;
}

constexpr std::uint64_t kSeeds = 300;

TEST(LibraryIo, EveryRankEndsAndAtLeastWhatIsAskedIsWritten) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomIo random = random_io(seed, library_of(seed));
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, random.text));
    const Program program = program_of(random.text);
    for (const hw::CacheCase cache : {hw::CacheCase::kCached, hw::CacheCase::kDevice}) {
      const ReplayResult result = configured(program, star(2), {}, cache);
      EXPECT_EQ(result.unreceived, 0);
      std::uint64_t written = 0;
      for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
        for (const DoneOperation& done : result.file_operations[rank])
          if (is_write(done.file_operation.action)) written += done.file_operation.bytes;
        for (std::size_t i = 0; i < result.times[rank].size(); ++i)
          EXPECT_GE(result.times[rank][i].end, result.times[rank][i].begin);
      }
      EXPECT_GE(written, random.written);
    }
    if (HasFailure()) return;
  }
}

TEST(LibraryIo, RunningAheadChangesNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RandomIo random = random_io(seed, library_of(seed));
    const Program program = program_of(random.text);
    ReplayOptions options;
    options.mode = Mode::kFree;
    options.form = Form::kAsConfigured;
    const ReplayResult ahead = replay::replay(program, star(2), options);
    options.run_ahead = false;
    const ReplayResult by_events = replay::replay(program, star(2), options);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::size_t i = 0; i < ahead.times[rank].size(); ++i)
        ASSERT_EQ(ahead.times[rank][i].end, by_events.times[rank][i].end) << "seed " << seed << ", rank " << rank;
  }
}

// One collective write of interleaved pieces, alone on the machine, through one aggregator a node as the ideal form has
// them: what the library does costs no less. (With more aggregators, or each rank for itself where that needs no
// exchange, it may: docs/models/replay-files.md.)
TEST(LibraryIo, ThroughTheSameAggregatorsALibraryIsNoFasterThanTheIdealForm) {
  hw::Platform platform = star(2);
  for (hw::Transport* costs : {&platform.inside, &platform.between})
    costs->ranges.back().protocol = hw::Protocol::kEager;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    sim::RandomStream random(seed, "isolated");
    const std::uint64_t ranks = 2 + random.below(6), piece = 1 + random.below(5000), pieces = 1 + random.below(8);
    const std::uint64_t stride = (ranks + random.below(2)) * piece, buffer = 1 + random.below(100000);
    std::string text = fmt::format("ranks {}\n", ranks) + kMpich;
    for (std::uint64_t r = 0; r < ranks; ++r) text += fmt::format("node n{0} ranks {1} cores 4\n", 2 * r / ranks, r);
    for (std::uint64_t r = 0; r < ranks; ++r)
      text += fmt::format(
          "rank {}\n write_all layout \"disp={} extent={} size={}: {}@0\" {}B file /data/x hints "
          "\"cb_buffer_size={}\\nromio_cb_write=enable\"\n",
          r, r * piece, stride, piece, piece, piece * pieces, buffer);
    const Program program = program_of(text);
    const auto last = [](const ReplayResult& result) {
      Time end;
      for (const auto& times : result.times) end = std::max(end, times.back().end);
      return end;
    };
    EXPECT_GE(last(configured(program, platform)), last(run(program, platform))) << "seed " << seed << "\n" << text;
  }
}

// ---- Collective accesses that do not block

// The program with each "<what>_at_all .." as "i<what><suffix> .. -> s" and a wait for it.
std::string begun(const std::string& text, const std::string& suffix, bool split) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t all = line.find("_at_all ");
    if (all == std::string::npos) {
      out += line + '\n';
      continue;
    }
    const std::string what = line.substr(1, all - 1), rest = line.substr(all + std::string_view("_at_all").size());
    out += fmt::format(" i{}{}{} -> s", what, suffix, rest);
    if (split) out += fmt::format(" call MPI_File_{}_at_all_begin", what);
    out += "\n wait s\n";
  }
  return out;
}

// Ends of all operations but waits.
std::vector<Time> ends_of_accesses(const Program& program, const ReplayResult& result) {
  std::vector<Time> ends;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (std::size_t i = 0; i < result.times[rank].size(); ++i)
      if (program.rank(rank).operations[i].kind != OpKind::kWait) ends.push_back(result.times[rank][i].end);
  return ends;
}

std::vector<Time> all_ends(const ReplayResult& result) {
  std::vector<Time> ends;
  for (const auto& times : result.times)
    for (const OperationTimes& time : times) ends.push_back(time.end);
  return ends;
}

TEST(NonblockingCollectives, RomiosSplitFormTakesInTheCallThatBeginsWhatTheBlockingFormTakes) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = random_io(seed, kMpich).text;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Program blocking = program_of(text), split = program_of(begun(text, "_at_all", true));
    EXPECT_THAT(not_judged(split, star(2)), testing::IsEmpty());
    EXPECT_EQ(ends_of_accesses(split, configured(split, star(2))),
              ends_of_accesses(blocking, configured(blocking, star(2))));
    EXPECT_EQ(ends_of_accesses(split, run(split, star(2))), ends_of_accesses(blocking, run(blocking, star(2))));
    if (HasFailure()) return;
  }
}

TEST(NonblockingCollectives, RomiosSplitFormIsRunByWhatWasRecordedInsideOfTheCallThatBegins) {
  const auto as_run = [](const std::string& verb, const std::string& rest) {
    const Program p =
        program_of("ranks 2\nnode n0 ranks 0-1 cores 4\n" + std::string(kMpich) + "rank 0\n compute 1ms\n " + verb +
                   " 0..500 file /data/x" + rest +
                   "\n  inner pwrite 0..250 file /data/x\n  inner pwrite 250..500 file /data/x\n wait s\nrank 1\n " +
                   verb + " 500..500 file /data/x" + rest + "\n wait s\n");
    return ends_of_accesses(p, run(p, star(1), Mode::kFree, Form::kAsRun));
  };
  EXPECT_THAT(as_run("iwrite_at_all", " -> s call MPI_File_write_at_all_begin"),
              testing::Each(testing::Ge(at_us(1000) + nanoseconds(20500))));  // two calls, and a barrier
  EXPECT_EQ(as_run("iwrite_at_all", " -> s")[1], at_us(0)) << "which is played as an access of each rank for itself";
}

TEST(NonblockingCollectives, OfOmpioAreAccessesOfEachRankForItself) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = random_io(seed, kOpenMpi).text;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const Program apart = program_of(begun(text, "_at", false));
    for (const bool split : {false, true}) {
      const Program together = program_of(begun(text, "_at_all", split));
      EXPECT_THAT(not_judged(together, star(2)), testing::IsEmpty());
      EXPECT_EQ(all_ends(configured(together, star(2))), all_ends(configured(apart, star(2))));
      EXPECT_EQ(all_ends(run(together, star(2))), all_ends(run(apart, star(2))));
    }
    if (HasFailure()) return;
  }
}

std::vector<std::string> reasons_of(const std::string& program) {
  std::vector<std::string> reasons;
  for (const NotJudged& one : not_judged(program_of("ranks 1\n" + program), star(1))) reasons.push_back(one.reason);
  return reasons;
}

TEST(NonblockingCollectives, WhereItIsNotModelledWhenTheyAreCarriedOutTheyAndTheirWaitsAreNotJudged) {
  using testing::IsEmpty, testing::UnorderedElementsAre;
  const std::string access = "rank 0\n iwrite_at_all 0..10 file /data/x -> a", wait = "\n wait a\n";
  const std::string split = " call MPI_File_write_at_all_begin", ordered = " call MPI_File_write_ordered_begin";
  const auto for_wait = HasSubstr("waits for a collective file access");
  EXPECT_THAT(reasons_of(kMpich + access + wait), UnorderedElementsAre(HasSubstr("in later calls"), for_wait));
  EXPECT_THAT(reasons_of(access + wait), UnorderedElementsAre(HasSubstr("nobody knows"), for_wait));
  EXPECT_THAT(reasons_of(access + split + wait), UnorderedElementsAre(HasSubstr("nobody knows"), for_wait));
  EXPECT_THAT(reasons_of(kOpenMpi + access + ordered + wait),
              UnorderedElementsAre(HasSubstr("nobody knows"), for_wait));
  EXPECT_THAT(reasons_of(kMpich + access + ordered + wait), IsEmpty());
}

// Open MPI keeps every hint that it is given, also one for ROMIO where OMPIO does the work, and tells none of ROMIO's.
TEST(NonblockingCollectives, WhoDoesMpiIoWithOpenMpiIsToldByItsParameterAndNotByHints) {
  const std::string access = "rank 0\n iwrite_at_all 0..10 file /data/x hints romio_ds_write=automatic -> a\n wait a\n";
  EXPECT_THAT(reasons_of(kOpenMpi + access), testing::IsEmpty());
  EXPECT_THAT(reasons_of(kRomioOfOpenMpi + access), testing::SizeIs(2));
}

TEST(NonblockingCollectives, OnlyTheWaitThatEndsOneIsNotJudged) {
  const Program p = program_of("ranks 1\n" + std::string(kMpich) +
                               "rank 0\n iwrite_at_all 0..10 file /data/x -> a\n iwrite_at 0..10 file /data/x -> b\n"
                               " wait b\n wait a +80us\n iwrite_at 0..10 file /data/x -> c\n wait c\n");
  const ModelCoverage coverage(p, star(1));
  for (const std::uint32_t judged : {1U, 2U, 4U, 5U}) EXPECT_EQ(coverage.reason_not_judged(0, judged), "") << judged;
  EXPECT_NE(coverage.reason_not_judged(0, 0), "");
  EXPECT_NE(coverage.reason_not_judged(0, 3), "");
  EXPECT_GE(duration(configured(p, star(1)).times[0][3]), microseconds(80));
}

TEST(NonblockingCollectives, AnotherLibraryIsAskedForWithTheReplay) {
  const Program p = program_of("ranks 2\nnode n0 ranks 0-1 cores 4\n" + std::string(kOpenMpi) +
                               "rank 0\n compute 1ms\n iwrite_at_all 0..500 file /data/x -> a call "
                               "MPI_File_write_at_all_begin\n wait a\n"
                               "rank 1\n iwrite_at_all 500..500 file /data/x -> a call "
                               "MPI_File_write_at_all_begin\n wait a\n");
  ReplayOptions options{.mode = Mode::kFree, .form = Form::kAsConfigured};
  EXPECT_EQ(replay::replay(p, star(1), options).times[1][0].end, at_us(0));
  options.choices.library = "mpich";
  EXPECT_GE(replay::replay(p, star(1), options).times[1][0].end, at_us(1000));
}

}  // namespace
}  // namespace plumbline::replay::test
