#include "viewer/export/csv.hpp"
#include "viewer/index/runs/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "runs_of_text.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "viewer/index/runs/peers.hpp"

namespace plumbline::viewer {
namespace {

using replay::Programs;

std::string csv_of(const Runs& runs) {
  std::ostringstream text;
  write_csv(runs, text);
  return text.str();
}

// RFC 4180, with line feeds.
std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (quoted && character == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      line.back() += text[++i];
    } else if (character == '"') {
      quoted = !quoted;
    } else if (!quoted && character == ',') {
      line.emplace_back();
    } else if (!quoted && character == '\n') {
      lines.push_back(std::exchange(line, std::vector<std::string>(1)));
    } else {
      line.back() += character;
    }
  }
  EXPECT_EQ(line, std::vector<std::string>(1)) << "the last line ends too";
  return lines;
}

std::string field(const std::vector<std::string>& line, std::string_view column) {
  const auto place = std::ranges::find(kCsvColumns, column);
  return line.at(static_cast<std::size_t>(place - kCsvColumns.begin()));
}

constexpr const char* kHead =
    "rank,operation,node,call,kind,site,comm_size,peer,tag,bytes,file,begin_ps,observed_ps,free_begin_ps,free_ps,"
    "lower_ps,upper_ps,band_ps,own_ps,inherited_ps,structure_ps,stack_ps,gained_ps,judged,reason\n";

TEST(Csv, HasALineForEachOperationWithItsParts) {
  Programs programs;
  EXPECT_EQ(
      csv_of(late_sender(programs)),
      kHead + std::string("0,0,n0,MPI_Send,point to point,exchange (ring.c:12),2,1,7,1024,,"
                          "20000000,5000000,10000000,4000000,4000000,4000000,0,1000000,0,0,1000000,0,1,\n"
                          "1,0,n1,MPI_Recv,point to point,exchange (ring.c:14),2,0,7,1024,,"
                          "0,30000000,0,17000000,28000000,28000000,0,2000000,11000000,0,2000000,0,1,\n"
                          "1,1,n1,pwrite,POSIX,,,,,4096,/out/a,"
                          "40000000,25000000,27000000,5000000,5000000,20000000,1000000,5000000,15000000,0,5000000,0,"
                          "1,\n"));
}

TEST(Csv, LeavesEmptyWhatARecordingAloneDoesNotTell) {
  Programs programs;
  EXPECT_EQ(csv_of(recorded(programs.parse("ranks 1\nrank 0\n@3us send 0 tag 1 8B +2us\n"))),
            kHead + std::string("0,0,node,MPI_Send,point to point,,1,0,1,8,,0,2000000,,,,,,,,,,,,\n"));
}

TEST(Csv, TellsWhyAnOperationIsNotJudgedAndNothingElseOfIt) {
  Programs programs;
  replay::Program program =
      programs.parse("ranks 1\nrank 0\nsend 0 tag 1 8B +2us not-judged \"the \\\"tracer\\\", again\"\n");
  replay::Expected expected = replay::as_observed(program);
  EXPECT_EQ(csv_of(with_expected(std::move(program), std::move(expected))),
            kHead + std::string("0,0,node,MPI_Send,point to point,,1,0,1,8,,0,2000000,0,2000000,,,,,,,,,0,"
                                "\"the \"\"tracer\"\", again\"\n"));
}

TEST(Csv, HasTheTimesOfTheSecondOfTwoRunsFromItsOwnBegin) {
  Programs programs;
  const replay::Program reference =
      programs.parse("ranks 1\nrank 0\n@100us send 0 tag 1 8B +2us\n@110us barrier +1us\n");
  const Runs runs =
      two_runs(programs.parse("ranks 1\nrank 0\n@5us send 0 tag 1 8B +3us\nlocal MPI_Test +1us\n@20us barrier +1us\n"),
               reference);
  const auto lines = parse_csv(csv_of(runs));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(field(lines[1], "free_begin_ps"), "0");
  EXPECT_EQ(field(lines[1], "free_ps"), "2000000");
  EXPECT_EQ(field(lines[1], "own_ps"), "1000000");
  EXPECT_EQ(field(lines[2], "free_ps"), "") << "a test that found nothing is in no other run";
  EXPECT_EQ(field(lines[2], "judged"), "0");
  EXPECT_EQ(field(lines[3], "begin_ps"), "15000000");
  EXPECT_EQ(field(lines[3], "free_begin_ps"), "10000000");
}

TEST(Csv, LeavesEmptyTheTimesThatTheSecondOfTwoRunsDoesNotHave) {
  Programs programs;
  const auto lines = parse_csv(csv_of(differing_runs(programs)));
  // Of each operation: its begin in the second run, or that it is not there.
  const std::vector<std::string> truth = {"0", "2000000", "", "", "0", "1000000", "", "9000000"};
  ASSERT_EQ(lines.size(), truth.size() + 1);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const std::vector<std::string>& line = lines[i + 1];
    EXPECT_EQ(field(line, "free_begin_ps"), truth[i]) << i;
    EXPECT_EQ(field(line, "free_ps").empty(), truth[i].empty()) << i;
    EXPECT_EQ(field(line, "reason"), truth[i].empty() ? "not in the reference run" : "") << i;
  }
}

void expect_same(const Runs& runs, OperationId id, const std::vector<std::string>& line) {
  const replay::RankProgram& rank = runs.observed.rank(id.rank);
  const replay::Operation& operation = rank.operations[id.operation];
  const Parts parts = parts_of(runs, id.rank, id.operation);
  EXPECT_EQ(field(line, "rank"), std::to_string(id.rank));
  EXPECT_EQ(field(line, "operation"), std::to_string(id.operation));
  EXPECT_EQ(field(line, "call"), runs.observed.call(operation.call));
  EXPECT_EQ(field(line, "site"), runs.observed.site(operation.site));
  EXPECT_EQ(field(line, "bytes"), std::to_string(operation.bytes));
  EXPECT_EQ(field(line, "begin_ps"), std::to_string((parts.begin - span_of(runs.observed).begin).ps));
  EXPECT_EQ(field(line, "observed_ps"), std::to_string(parts.observed.ps));
  const auto known = [&](Duration part) { return parts.judged ? std::to_string(part.ps) : std::string(); };
  EXPECT_EQ(field(line, "upper_ps"), known(parts.upper));
  EXPECT_EQ(field(line, "own_ps"), known(parts.own));
  EXPECT_EQ(field(line, "inherited_ps"), known(parts.inherited));
  EXPECT_EQ(field(line, "stack_ps"), known(parts.stack));
  EXPECT_EQ(field(line, "judged"), parts.judged ? "1" : "0");
  EXPECT_EQ(field(line, "reason").empty(), parts.judged);
  const std::uint32_t peer = peer_of(runs.observed, id.rank, operation);
  EXPECT_EQ(field(line, "peer"), peer == replay::kNone ? "" : std::to_string(peer));
}

TEST(Csv, ReadBackTellsTheSameOfRandomRuns) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  const test::TemporaryDirectory directory;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(test::cases(60)); ++i) {
    const Runs runs = random_pair(seed + i, directory / "program");
    const auto lines = parse_csv(csv_of(runs));
    std::size_t at = 1;
    for (OperationId id{0, 0}; id.rank < runs.observed.ranks(); ++id.rank)
      for (id.operation = 0; id.operation < runs.observed.rank(id.rank).operations.size(); ++id.operation) {
        ASSERT_LT(at, lines.size());
        ASSERT_EQ(lines[at].size(), kCsvColumns.size());
        expect_same(runs, id, lines[at++]);
      }
    EXPECT_EQ(at, lines.size());
  }
}

TEST(Csv, LongOnesArriveWholeAndAFullDiskIsTold) {
  Programs programs;
  const Runs runs = recorded(programs.parse("ranks 1\nrank 0\n" + replay::repeated("barrier +1us\n", 20000)));
  const std::string text = csv_of(runs);
  EXPECT_EQ(std::ranges::count(text, '\n'), 20001);
  std::ofstream full("/dev/full");
  EXPECT_THROW(write_csv(runs, full), Error);
}

}  // namespace
}  // namespace plumbline::viewer
