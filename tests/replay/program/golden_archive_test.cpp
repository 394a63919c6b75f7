// Archives of another tool (tests/golden/README.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "base/error.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/compile/content_hash.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

using test::TemporaryDirectory;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::filesystem::path golden(const std::string& name) { return std::filesystem::path(PLUMBLINE_GOLDEN) / name; }

std::string contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Compiled {
  explicit Compiled(const std::string& name)
      : reader(golden(name)), program(compile(reader, directory / "program", summary)) {}

  TemporaryDirectory directory;
  archive::Reader reader;
  CompileSummary summary;
  Program program;
};

std::map<OpKind, int> count_kinds(const Program& program) {
  std::map<OpKind, int> kinds;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (const Operation& operation : program.rank(rank).operations) ++kinds[operation.kind];
  return kinds;
}

using Channel = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t, std::uint64_t>;

// (comm, from, to, tag, bytes) of all sends less those of all receives; the peer of a send is its receiver.
std::map<Channel, int> unmatched(const Program& program) {
  std::map<Channel, int> open;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    for (const Operation& op : program.rank(rank).operations) {
      const bool sends = op.kind == OpKind::kSend || op.kind == OpKind::kIsend;
      if (!sends && op.kind != OpKind::kRecv && op.kind != OpKind::kIrecv) continue;
      const std::uint32_t peer = program.comm(op.comm).members[static_cast<std::size_t>(op.peer)];
      const Channel channel = {op.comm, sends ? rank : peer, sends ? peer : rank, op.tag, op.bytes};
      open[channel] += sends ? 1 : -1;
    }
  }
  std::erase_if(open, [](const auto& entry) { return entry.second == 0; });
  return open;
}

TEST(GoldenArchive, PingPongIsSixteenMessagesThatAllArrive) {
  const Compiled compiled("scorep-ping-pong");
  auto kinds = count_kinds(compiled.program);
  EXPECT_EQ(kinds[OpKind::kSend], 16);
  EXPECT_EQ(kinds[OpKind::kRecv], 16);
  EXPECT_EQ(kinds[OpKind::kLocal], 4);       // Comm_rank, Comm_size
  EXPECT_EQ(kinds[OpKind::kCommCreate], 4);  // Init, Finalize
  EXPECT_EQ(compiled.summary.messages, 16U);
  EXPECT_TRUE(unmatched(compiled.program).empty());
}

TEST(GoldenArchive, TenRanksKeepEveryCallAndEveryMessage) {
  const Compiled compiled("scorep-10-ranks");
  auto kinds = count_kinds(compiled.program);
  EXPECT_EQ(compiled.program.ranks(), 10U);
  EXPECT_EQ(compiled.summary.operations, 7010U);  // every region of this archive is an MPI call
  EXPECT_EQ(kinds[OpKind::kIsend], 1440);
  EXPECT_EQ(kinds[OpKind::kIrecv], 1440);
  EXPECT_EQ(kinds[OpKind::kCollective], 1200);
  EXPECT_EQ(kinds[OpKind::kWait], 480);  // MPI_Waitall; the 1080 MPI_Wait are for what is not recorded
  EXPECT_EQ(kinds[OpKind::kUnmodelled], 1080 + 1080 + 20);  // MPI_I<collective>, their MPI_Wait, MPI_Comm_split
  EXPECT_EQ(compiled.summary.messages, 1440U);
  EXPECT_TRUE(unmatched(compiled.program).empty());
  EXPECT_EQ(compiled.program.node(compiled.program.rank(1).node), "kn2.eth");
}

TEST(GoldenArchive, WhatItLacksIsToldAndNothingElse) {
  const Compiled compiled("scorep-10-ranks");
  EXPECT_THAT(compiled.summary.lacks, Contains(HasSubstr("call sites")));
  EXPECT_THAT(compiled.summary.lacks, Contains(HasSubstr("records of 1080 non-blocking collectives")));
  EXPECT_THAT(compiled.summary.lacks, Contains(HasSubstr("wildcards")));
  EXPECT_THAT(compiled.summary.lacks, Not(Contains(HasSubstr("MPI-IO"))));
  EXPECT_THAT(compiled.summary.remarks, testing::IsEmpty());
}

TEST(GoldenArchive, SizesOfCollectivesAreWhatOneRankGivesAndGets) {
  const Compiled compiled("scorep-10-ranks");
  for (std::uint32_t rank = 0; rank < 10; ++rank) {
    const RankProgram& program = compiled.program.rank(rank);
    for (const Operation& op : program.operations) {
      if (op.kind != OpKind::kCollective) continue;
      const CollectiveTail& tail = program.collectives[op.extra];
      const std::size_t size = compiled.program.comm(op.comm).members.size();
      const auto kind = static_cast<Collective>(op.tag);
      if (kind == Collective::kBcast) {
        EXPECT_EQ(op.bytes, 4U);  // on every rank, though Score-P says 0 on those that are not the root
        EXPECT_EQ(tail.received, 4U);
      }
      if (kind == Collective::kAllgather) {
        EXPECT_EQ(tail.received, op.bytes * size);
      }
      if (kind == Collective::kAllreduce) {
        EXPECT_EQ(tail.received, op.bytes);
      }
    }
  }
}

TEST(GoldenArchive, CompilingTwiceGivesTheSameBytes) {
  const Compiled a("scorep-10-ranks"), b("scorep-10-ranks");
  EXPECT_EQ(contents(a.directory / "program"), contents(b.directory / "program"));
}

TEST(GoldenArchive, TextOfTheProgramMakesItAgain) {
  const Compiled compiled("scorep-10-ranks");
  const std::string text = to_text(compiled.program);
  EXPECT_EQ(to_text(parse_program(text, "text", compiled.directory / "again")), text);
}

TEST(ProgramCache, ASecondCallTakesTheFileUnlessTheArchiveChanged) {
  const TemporaryDirectory directory;
  std::filesystem::copy(golden("scorep-ping-pong"), directory / "archive", std::filesystem::copy_options::recursive);
  CompileSummary first, second, third;
  program_of(directory / "archive", first);
  const Program again = program_of(directory / "archive", second);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.operations, first.operations);
  EXPECT_EQ(second.messages, 16U);
  EXPECT_EQ(second.lacks, first.lacks);
  EXPECT_EQ(again.property("source"), content_hash(directory / "archive"));
  std::ofstream(directory / "archive/plumbline.program", std::ios::app) << "damage";
  program_of(directory / "archive", third);
  EXPECT_FALSE(third.from_cache);
}

TEST(ProgramCache, AnArchiveThatIsOpenNeedNotBeOpenedAgain) {
  const TemporaryDirectory directory;
  std::filesystem::copy(golden("scorep-ping-pong"), directory / "archive", std::filesystem::copy_options::recursive);
  archive::Reader reader(directory / "archive");
  CompileSummary first, second;
  const Program compiled = program_of(reader, first);
  const Program cached = program_of(directory / "archive", second);
  EXPECT_FALSE(first.from_cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(to_text(compiled), to_text(cached));
}

TEST(ExpectedArchive, OfTheObservedTimesIsTheObservedArchive) {
  const Compiled compiled("scorep-10-ranks");
  archive::Reader reader(golden("scorep-10-ranks"));
  Expected expected = read_expected(reader);
  for (std::uint32_t rank = 0; rank < 10; ++rank) {
    ASSERT_EQ(expected.ranks[rank].free.size(), compiled.program.rank(rank).operations.size());
    EXPECT_EQ(expected.ranks[rank].free.back().end, compiled.program.rank(rank).times.back().end);
    EXPECT_EQ(expected.ranks[rank].lower[5], expected.ranks[rank].as_run[5]);
  }
  expected.platform = "cluster.xml 0123";
  expected.reasons = {"because"};
  expected.ranks[3].not_judged[7] = 0;
  expected.ranks[3].lower[8] = Duration{77};
  write_expected(reader, expected, {}, compiled.directory / "expected", Overwrite::kNo);

  archive::Reader written(compiled.directory / "expected");
  const Expected again = read_expected(written);
  EXPECT_EQ(again.platform, "cluster.xml 0123");
  EXPECT_EQ(again.ranks[3].lower[8], Duration{77});
  ASSERT_EQ(again.ranks[3].not_judged[7], 0U);
  EXPECT_EQ(again.reasons, std::vector<std::string>{"because"});
  for (std::uint32_t location = 0; location < reader.definitions().locations.size(); ++location) {
    std::vector<std::pair<archive::EventKind, Time>> before, after;
    reader.read(location, [&](const archive::Event& event) { before.emplace_back(event.kind, event.time); });
    written.read(location, [&](const archive::Event& event) { after.emplace_back(event.kind, event.time); });
    EXPECT_EQ(before, after) << location;
  }
}

}  // namespace
}  // namespace plumbline::replay
