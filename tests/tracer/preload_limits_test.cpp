// Limits that the user sets for a recording, under real MPI programs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "tests/support/seed.hpp"
#include "tests/tracer/archive_support.hpp"
#include "tests/tracer/on_both_mpis.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/options.hpp"
#include "tracer/record/assemble/summary.hpp"

namespace plumbline::spool::test {
namespace {

using archive::Event;
using archive::EventKind;
using testing::AnyOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Limits : public OnBothMpis {
 protected:
  std::vector<std::unique_ptr<Content>> record_with(const std::string& environment, int ranks,
                                                    std::vector<std::string> arguments,
                                                    const std::string& program = "limits") {
    outcome_ = run({.flavour = GetParam(),
                    .program = program,
                    .ranks = ranks,
                    .arguments = std::move(arguments),
                    .environment = environment});
    return contents(outcome_);
  }

  // Without a launcher.
  std::unique_ptr<Content> record_singleton(const std::string& environment, const std::string& arguments) {
    const std::filesystem::path work = fresh_directory();
    const std::string command = fmt::format(
        "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 {} PLUMBLINE_SPOOL={}/spools LD_PRELOAD={} {} "
        "{}",
        environment, work.string(), preload_library(GetParam()).string(), program_path(GetParam(), "limits").string(),
        fmt::format(fmt::runtime(arguments), work.string()));
    outcome_ = run_shell(command, work);
    auto all = contents(outcome_);
    return all.size() == 1 ? std::move(all.front()) : nullptr;
  }

  record::AssembleSummary assemble(const record::AssembleOptions& options = {}) {
    const std::filesystem::path output = outcome_.work / "archive";
    const record::AssembleSummary summary =
        record::assemble(find_spools(outcome_.spools), output, Overwrite::kYes, options);
    archive_ = std::make_unique<archive::Reader>(output);
    return summary;
  }

  std::string property(std::uint32_t rank, const char* name) const {
    const auto& properties = archive_->definitions().location_groups[rank].properties;
    const auto found = properties.find(name);
    return found == properties.end() ? "" : found->second;
  }

  // "off", "on", "enter MPI_Wait", with their times.
  struct Mark {
    std::string what;
    Time time;
  };
  std::vector<Mark> marks(std::uint32_t location) {
    std::vector<Mark> found;
    const archive::Definitions& d = archive_->definitions();
    for (const archive::test::OwnedEvent& owned : archive::test::read_all(*archive_, location)) {
      const Event& e = owned.event;
      if (e.kind == EventKind::kMeasurementOnOff) found.push_back({e.offset != 0 ? "on" : "off", e.time});
      if (e.kind == EventKind::kEnter) found.push_back({"enter " + d.strings[d.regions[e.region].name], e.time});
    }
    return found;
  }

  std::unique_ptr<archive::Reader> archive_;
};

// The steps of the program that are in the spool.
std::vector<std::int64_t> steps_in(const Content& c) {
  std::vector<std::int64_t> steps;
  for (const Call& call : c.of("MPI_Sendrecv")) steps.push_back(call.high(0));
  return steps;
}

void expect_consecutive(const std::vector<std::int64_t>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) ASSERT_EQ(steps[i], steps[i - 1] + 1) << "after " << i;
}

constexpr std::uint64_t kSmall = 4 << 20;

TEST_P(Limits, WhenTheFirstAreKeptRecordingEndsAndTheProgramGoesOn) {
  const auto ranks = record_with("PLUMBLINE_MAX_SIZE=4MiB ", 1, {"steps", "100000", "WORK"});
  ASSERT_EQ(ranks.size(), 1U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.output, "rank 0 done");
  EXPECT_THAT(outcome_.errors,
              HasSubstr("stopped: the limit of its size is reached (--max-size); the program goes on"));
  const Content& c = *ranks[0];
  EXPECT_EQ(c.spool.header().end, PL_END_STOPPED);
  EXPECT_LE(std::filesystem::file_size(c.spool.path()), kSmall);
  const std::vector<std::int64_t> steps = steps_in(c);
  ASSERT_GT(steps.size(), 1000U);
  EXPECT_EQ(steps.front(), 0);
  expect_consecutive(steps);
  assemble();
  EXPECT_THAT(property(0, archive::names::kPropertyEnd), HasSubstr("--max-size"));
  EXPECT_EQ(marks(0).back().what, "off");
}

TEST_P(Limits, WhenTheLastAreKeptTheEndIsThereWithAllThatExplainsIt) {
  const auto ranks = record_with("PLUMBLINE_MAX_SIZE=4MiB PLUMBLINE_KEEP=last ", 1, {"steps", "100000", "WORK"});
  ASSERT_EQ(ranks.size(), 1U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.errors, "");
  const Content& c = *ranks[0];
  EXPECT_EQ(c.spool.header().end, PL_END_FINALIZED);
  EXPECT_EQ(c.spool.header().lost_records, 0U);
  EXPECT_THAT(c.spool.remarks(), IsEmpty());
  EXPECT_LE(std::filesystem::file_size(c.spool.path()), kSmall);
  const std::vector<std::int64_t> steps = steps_in(c);
  ASSERT_GT(steps.size(), 1000U);
  EXPECT_GT(steps.front(), 0);
  EXPECT_EQ(steps.back(), 99999);
  expect_consecutive(steps);
  // Every step is a call, and there are others.
  EXPECT_GT(c.spool.dropped_calls(), static_cast<std::uint64_t>(steps.front()));
  EXPECT_LT(c.spool.dropped_calls(), static_cast<std::uint64_t>(steps.front()) * 11 / 10);

  const record::AssembleSummary summary = assemble();
  EXPECT_THAT(summary.remarks, ElementsAre(HasSubstr("older calls gave way to newer ones")));
  EXPECT_EQ(property(0, archive::names::kPropertyEnd), "finalized");
  EXPECT_EQ(property(0, archive::names::kPropertyDroppedCalls), std::to_string(c.spool.dropped_calls()));
  const std::vector<Mark> first = marks(0);
  EXPECT_EQ(first[0].what, "off");
  EXPECT_EQ(first[1].what, "on");
  // Opened before what is left, used in it.
  std::vector<std::string> files;
  for (const archive::IoHandle& handle : archive_->definitions().io_handles)
    files.push_back(archive_->definitions().strings[handle.name]);
  EXPECT_THAT(files, testing::IsSupersetOf({(outcome_.work / "mpi").string(), (outcome_.work / "kept0").string()}));
  EXPECT_THAT(files, Each(Not(HasSubstr("descriptor"))));
}

// The call that had it first may have given way.
TEST_P(Limits, WhereTheLastAreKeptEachCallHasItsOwnCounts) {
  const auto ranks = record_with("PLUMBLINE_MAX_SIZE=8MiB PLUMBLINE_KEEP=last ", 2, {"WORK"}, "sizes");
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  for (const auto& rank : ranks) {
    const std::vector<Call> same = rank->of("MPI_Alltoallv");
    ASSERT_EQ(same.size(), 50U);
    for (const Call& call : same) {
      EXPECT_GT(call.file_bytes, 48U);
      EXPECT_EQ(call.words, same.front().words);
    }
  }
}

TEST_P(Limits, AProcessKilledAtAnyMomentLeavesItsLastCallsOnce) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("PLUMBLINE_SEED={} repeats it", seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 6; ++round) {
    const auto c = record_singleton("PLUMBLINE_MAX_SIZE=4MiB PLUMBLINE_KEEP=last",
                                    fmt::format("steps 0 {{0}} {}", 1000 + random() % 250000));
    ASSERT_NE(c, nullptr) << outcome_.errors;
    EXPECT_THAT(c->spool.remarks(), IsEmpty());
    EXPECT_EQ(c->spool.header().end, PL_END_RUNNING);
    std::uint64_t done = 0;
    std::ifstream(outcome_.work / "progress0", std::ios::binary).read(reinterpret_cast<char*>(&done), sizeof done);
    const std::vector<std::int64_t> steps = steps_in(*c);
    expect_consecutive(steps);
    if (done > 1) {
      ASSERT_FALSE(steps.empty());
      EXPECT_THAT(steps.back(), AnyOf(done - 1, done)) << "the last one begun";
      EXPECT_EQ(steps.front() == 0, c->spool.dropped_segments() == 0);
    }
    const record::AssembleSummary summary = assemble();
    EXPECT_THAT(summary.remarks, Each(AnyOf(HasSubstr("killed"), HasSubstr("gave way"), HasSubstr("not returned"))));
    marks(0);
    std::filesystem::remove_all(outcome_.work);
  }
}

TEST_P(Limits, EveryThreadKeepsASuffixAndTheFileItsSize) {
  const auto c = record_singleton("PLUMBLINE_MAX_SIZE=12MiB PLUMBLINE_KEEP=last", "threads 80000 4 {0}");
  ASSERT_NE(c, nullptr) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_THAT(c->spool.remarks(), IsEmpty());
  EXPECT_LE(std::filesystem::file_size(c->spool.path()), 12U << 20);
  EXPECT_EQ(c->spool.header().writers, 5U);
  std::map<std::uint32_t, std::vector<std::int64_t>> steps;
  for (const Call& call : c->of("pwrite")) steps[call.thread].push_back(call.number(1));
  EXPECT_GE(steps.size(), 1U);
  for (const auto& [thread, of_thread] : steps) {
    expect_consecutive(of_thread);
    EXPECT_EQ(of_thread.back(), 79999);
  }
  assemble();
}

TEST_P(Limits, MoreThreadsThanSegmentsStillRecordTheirEnds) {
  const auto c = record_singleton("PLUMBLINE_MAX_SIZE=4MiB PLUMBLINE_KEEP=last", "threads 20000 12 {0}");
  ASSERT_NE(c, nullptr) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_EQ(c->spool.header().end, PL_END_FINALIZED);
  EXPECT_THAT(c->spool.remarks(), IsEmpty());
  // Each has the one it writes to and the one before; one has the definitions.
  EXPECT_LE(std::filesystem::file_size(c->spool.path()), (2 * 13 + 1) * (1U << 20) + PL_HEADER_BYTES);
  std::map<std::uint32_t, std::vector<std::int64_t>> steps;
  for (const Call& call : c->of("pwrite")) steps[call.thread].push_back(call.number(1));
  for (const auto& [thread, of_thread] : steps) expect_consecutive(of_thread);
}

// The record of the outer call lies in a segment that cannot give way until it has ended.
TEST_P(Limits, ACallWithMoreInsideThanThereIsRoomForLeavesTheEndOfIt) {
  const auto c = record_singleton("PLUMBLINE_MAX_SIZE=4MiB PLUMBLINE_KEEP=last", "nested 150000 {0}");
  ASSERT_NE(c, nullptr) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_THAT(c->spool.remarks(), IsEmpty());
  EXPECT_EQ(c->of("MPI_File_close").size(), 1U);
  const std::vector<Call> writes = c->of("pwrite");
  for (std::size_t i = 1; i < writes.size(); ++i) ASSERT_EQ(writes[i].number(1), writes[i - 1].number(1) + 2);
  if (GetParam() == std::string("mpich")) {  // whose MPI-IO writes byte by byte
    EXPECT_GT(c->spool.dropped_calls(), 10'000U);
    EXPECT_GT(writes.size(), 10'000U);
  }
  const record::AssembleSummary summary = assemble();
  EXPECT_THAT(summary.remarks, Each(HasSubstr("gave way")));
  marks(0);
}

TEST_P(Limits, OutsideOfTheWindowTheProgramDoesNotSwitchRecordingOn) {
  const auto ranks = record_with("PLUMBLINE_WINDOW=1h: ", 2, {"WORK"}, "pause");
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(ranks[0]->spool.header().end, PL_END_FINALIZED);
  for (const Call& call : ranks[0]->calls) EXPECT_THAT(call.name, AnyOf("MPI_Init", "(open at start)"));
}

TEST_P(Limits, RanksThatAreNotNamedAreLeftOut) {
  const auto ranks = record_with("PLUMBLINE_RANKS=1,3- ", 3, {"while", "0.05"});
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0);
  EXPECT_EQ(outcome_.errors, "");
  EXPECT_EQ(ranks[0]->spool.header().end, PL_END_LEFT_OUT);
  EXPECT_EQ(ranks[1]->spool.header().end, PL_END_FINALIZED);
  EXPECT_THAT(ranks[0]->of("MPI_Barrier"), IsEmpty());
  const record::AssembleSummary summary = assemble();
  EXPECT_THAT(summary.remarks, ElementsAre("2 of 3 ranks were left out by --ranks: 0,2"));
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(property(2, archive::names::kPropertyEnd), archive::names::kEndLeftOut);
  EXPECT_EQ(property(2, archive::names::kPropertyHost), property(1, archive::names::kPropertyHost));
  EXPECT_THAT(marks(2), IsEmpty());
  EXPECT_GT(marks(1).size(), 3U);
}

TEST_P(Limits, OnlyTheWindowIsRecordedAndItsEdgesAreMarked) {
  const auto ranks = record_with("PLUMBLINE_WINDOW=50ms:0.1s ", 1, {"while", "0.2"});
  ASSERT_EQ(ranks.size(), 1U) << outcome_.errors;
  EXPECT_EQ(outcome_.errors, "");
  EXPECT_EQ(ranks[0]->spool.header().end, PL_END_FINALIZED);
  const record::AssembleSummary summary = assemble();
  EXPECT_THAT(summary.remarks, ElementsAre("only 50ms:0.1s after MPI_Init was recorded (--window)"));
  std::vector<Mark> all = marks(0);
  std::vector<std::string> edges;
  Time before, on, off, last;
  for (const Mark& mark : all) {
    if (mark.what == "on") on = mark.time;
    if (mark.what == "off") before = std::exchange(off, mark.time);
    if (mark.what == "enter MPI_Barrier") last = mark.time;
    if (!mark.what.ends_with("MPI_Barrier") && !mark.what.ends_with("start)")) edges.push_back(mark.what);
  }
  EXPECT_THAT(edges, ElementsAre("enter MPI_Init", "off", "on", "off"));
  EXPECT_GE(on - all[0].time, milliseconds(50));
  EXPECT_LT(last, off);
  EXPECT_LE(last - before, microseconds(100'100));  // it was switched off a moment after the end of MPI_Init
}

TEST_P(Limits, AValueThatMeansNothingIsSaidOnceAndLimitsNothing) {
  for (const std::array<std::string, 2>& wrong : {std::array<std::string, 2>{"PLUMBLINE_MAX_SIZE", "3MiB"},
                                                  {"PLUMBLINE_KEEP", "middle"},
                                                  {"PLUMBLINE_RANKS", "1,,2"},
                                                  {"PLUMBLINE_RANKS", "2-1"},
                                                  {"PLUMBLINE_WINDOW", "1:2"},
                                                  {"PLUMBLINE_WINDOW", std::string(5000, '1')}}) {
    const auto c = record_singleton(fmt::format("{}={}", wrong[0], wrong[1]), "while 0");
    ASSERT_NE(c, nullptr) << outcome_.errors;
    EXPECT_THAT(outcome_.errors, testing::StartsWith("plumbline: " + wrong[0] + "=" + wrong[1].substr(0, 9)));
    EXPECT_EQ(std::count(outcome_.errors.begin(), outcome_.errors.end(), '\n'), 1) << outcome_.errors;
    EXPECT_EQ(c->spool.header().end, PL_END_FINALIZED);
    EXPECT_EQ(c->of("MPI_Finalize").size(), 1U);
    std::filesystem::remove_all(outcome_.work);
  }
}

std::string whole_directory(const std::filesystem::path& directory) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

TEST_P(Limits, AnAnonymousArchiveHoldsNothingThatTheUserHasNamed) {
  const std::filesystem::path work = fresh_directory();
  const std::filesystem::path program = work / "SECRETdirectory/SECRETprogram";
  std::filesystem::create_directory(program.parent_path());
  std::filesystem::copy_file(program_path(GetParam(), "secrets"), program);
  outcome_ = run_shell(
      fmt::format("env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml_what=SECRETenvironment "
                  "UCX_SOMETHING=/x/SECRETucx PLUMBLINE_IO_PATHS='!*.SECRETpattern' ROMIO_HINTS=/no/SECREThints "
                  "PLUMBLINE_SPOOL={}/spools LD_PRELOAD={} {} {} --SECREToption=SECRETargument",
                  work.string(), preload_library(GetParam()).string(), program.string(),
                  program.parent_path().string()),
      work);
  ASSERT_EQ(outcome_.status, 0) << outcome_.errors;
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);

  assemble();
  const std::string open = whole_directory(outcome_.work / "archive");
  for (const char* planted :
       {"SECRETdirectory", "SECRETprogram", "SECRETfunction", "SECRETname", "SECRETkey", "SECRETvalue", "SECREThost",
        "SECRETfile", "SECRETother", "SECREThidden", "SECRETenvironment", "SECRETucx", "SECRETpattern", "SECREThints",
        "SECREToption", "SECRETargument", "secrets.c"})
    EXPECT_NE(open.find(planted), std::string::npos) << planted << " must be there to be hidden";
  if (GetParam() == std::string("mpich")) {  // Open MPI makes no windows without a launcher
    EXPECT_NE(open.find("SECRETwindow"), std::string::npos);
  }

  record::AssembleOptions anonymous;
  anonymous.anonymize = true;
  assemble(anonymous);
  const std::string hidden = whole_directory(outcome_.work / "archive");
  EXPECT_EQ(hidden.find("SECRET"), std::string::npos) << hidden.substr(hidden.find("SECRET"), 60);
  EXPECT_EQ(hidden.find("secrets"), std::string::npos) << hidden.substr(hidden.find("secrets"), 60);
  if (std::strlen(host.data()) > 4) {  // a shorter one may be there by chance
    EXPECT_EQ(hidden.find(host.data()), std::string::npos);
  }
  EXPECT_EQ(hidden.find(work.filename().string()), std::string::npos);
  // Extensions and what paths share are left.
  std::vector<std::string> files;
  for (const archive::IoFile& file : archive_->definitions().io_files)
    files.push_back(archive_->definitions().strings[file.path]);
  EXPECT_THAT(files, testing::Contains(testing::MatchesRegex("/tmp/n[0-9]+/n[0-9]+/n[0-9]+.h5")));
  EXPECT_NE(hidden.find("cb_nodes=1"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Mpi, Limits, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
