// Several processes that write or read an expected archive: what comes out is what one writes or reads.

#include "replay/expect/archive/read_together.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <random>

#include "base/error.hpp"
#include "base/team/forked.hpp"
#include "random_archive.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/expect/archive/write_together.hpp"
#include "replay/program/compile/compile.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::uint32_t kProcesses[] = {1, 2, 3, 5, 8};

Duration some(std::mt19937_64& random) { return picoseconds(static_cast<std::int64_t>(random() % 1'000'000)); }

// Each rank judges some operations not, for reasons of its own choice. Every third rank has no brackets.
ExpectedRank random_rank(std::size_t operations, std::size_t reasons, std::mt19937_64& random) {
  ExpectedRank rank;
  const bool has_brackets = random() % 3 != 0;
  Time now;
  for (std::size_t i = 0; i < operations; ++i) {
    const Duration lower = some(random), more = has_brackets ? some(random) : Duration{};
    rank.free.push_back({now, now + lower});
    now = now + lower;
    rank.lower.push_back(lower), rank.upper.push_back(lower + more), rank.band.push_back(some(random));
    rank.as_configured.push_back(lower), rank.as_configured_upper.push_back(lower + more);
    rank.as_run.push_back(lower + more), rank.as_run_upper.push_back(lower + more);
    rank.by_inner.push_back(has_brackets ? 1 : 0);
    rank.ideal_io.push_back(has_brackets ? random() % 4 : 0);
    rank.not_judged.push_back(random() % 5 == 0 ? static_cast<std::uint32_t>(random() % reasons) : kNone);
  }
  return rank;
}

class ReadTogether : public testing::Test {
 protected:
  fs::path observe(std::uint32_t ranks, std::mt19937_64& random) {
    const fs::path observed = directory_ / fmt::format("obs{}", archives_++);
    write_random_archive(observed, {.seed = random(), .ranks = ranks});
    return observed;
  }

  static Expected random_columns(archive::Reader& observed, std::mt19937_64& random) {
    CompileSummary summary;
    const Program program = program_of(observed, summary);
    Expected columns;
    columns.reasons = {"a", "b", "c", "d", "e", "f"};
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      columns.ranks.push_back(random_rank(program.rank(rank).operations.size(), columns.reasons.size(), random));
    return columns;
  }

  // An expected archive with random columns.
  fs::path write(std::uint32_t ranks, std::mt19937_64& random) {
    const fs::path observed = observe(ranks, random), expected = observed.string() + "-expected";
    archive::Reader reader(observed);
    write_expected(reader, random_columns(reader, random), {}, expected, Overwrite::kNo);
    return expected;
  }

  // By the path below the directory.
  static std::map<std::string, std::string> contents_of(const fs::path& directory) {
    std::map<std::string, std::string> contents;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      contents[fs::relative(entry.path(), directory).string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return contents;
  }

  static std::vector<std::string> names_in(const fs::path& directory) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  test::TemporaryDirectory directory_;
  int archives_ = 0;
};

bool same_times(const OperationTimes& a, const OperationTimes& b) { return a.begin == b.begin && a.end == b.end; }

void expect_equal(const RanksRead& found, const RanksRead& expected) {
  EXPECT_EQ(found.reasons, expected.reasons);
  ASSERT_EQ(found.ranks.size(), expected.ranks.size());
  for (std::size_t rank = 0; rank < found.ranks.size(); ++rank) {
    SCOPED_TRACE(fmt::format("rank {}", rank));
    const ExpectedRank &a = found.ranks[rank], &b = expected.ranks[rank];
    EXPECT_TRUE(std::ranges::equal(a.free, b.free, same_times));
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.band, b.band);
    EXPECT_EQ(a.as_run, b.as_run);
    EXPECT_EQ(a.as_run_upper, b.as_run_upper);
    EXPECT_EQ(a.by_inner, b.by_inner);
    EXPECT_EQ(a.ideal_io, b.ideal_io);
    EXPECT_EQ(a.not_judged, b.not_judged);
    EXPECT_EQ(a.as_configured, b.as_configured);
    EXPECT_EQ(a.as_configured_upper, b.as_configured_upper);
  }
}

TEST_F(ReadTogether, GivesTheColumnsOfOneProcess) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(fmt::format("seed {} (PLUMBLINE_SEED repeats it)", seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 10; ++round) {
    const fs::path archive = write(static_cast<std::uint32_t>(1 + random() % 9), random);
    archive::Reader reader(archive);
    const RanksRead expected = read_ranks(reader, {0, reader.definitions().world_size()}, {});
    for (const std::uint32_t processes : kProcesses) {
      SCOPED_TRACE(fmt::format("round {}, {} processes", round, processes));
      ForkedWorkers workers(processes);
      const std::optional<RanksRead> found = read_ranks_together(workers, reader);
      ASSERT_TRUE(found.has_value());
      expect_equal(*found, expected);
    }
  }
}

TEST_F(ReadTogether, TheRandomArchivesHaveReasonsThatBlocksMeetInAnotherOrder) {
  std::mt19937_64 random(3);
  const fs::path archive = write(9, random);
  archive::Reader reader(archive);
  const RanksRead all = read_ranks(reader, {0, 9}, {}), last = read_ranks(reader, {5, 9}, {});
  EXPECT_EQ(all.reasons.size(), 6U);
  EXPECT_NE(last.reasons, all.reasons);
  const auto has_brackets = [](const ExpectedRank& rank) { return !(rank.upper == rank.lower); };
  EXPECT_TRUE(std::ranges::any_of(all.ranks, has_brackets));
  EXPECT_FALSE(std::ranges::all_of(all.ranks, has_brackets));
}

TEST_F(ReadTogether, LeavesNothingBesideTheArchive) {
  std::mt19937_64 random(5);
  const fs::path archive = write(4, random);
  const std::vector<std::string> before = names_in(archive);
  archive::Reader reader(archive);
  ForkedWorkers workers(3);
  const std::optional<RanksRead> read = read_ranks_together(workers, reader);
  EXPECT_EQ(names_in(archive), before);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->ranks.size(), 4U);
}

TEST_F(ReadTogether, TheErrorIsThatOfTheFirstRankThatFails) {
  std::mt19937_64 random(7);
  const fs::path archive = write(8, random);
  for (const int rank : {6, 2}) {
    const fs::path events = archive / "traces" / fmt::format("{}.evt", rank);
    fs::resize_file(events, fs::file_size(events) / 2);
  }
  const auto error_of = [&](const auto& read) -> std::string {
    archive::Reader reader(archive);
    try {
      read(reader);
    } catch (const Error& error) {
      return to_string(error.problems().front());
    }
    return "none";
  };
  const std::string alone = error_of([](archive::Reader& reader) { read_ranks(reader, {0, 8}, {}); });
  EXPECT_NE(alone, "none");
  for (const std::uint32_t processes : kProcesses) {
    const std::vector<std::string> before = names_in(archive);
    EXPECT_EQ(error_of([&](archive::Reader& reader) {
                ForkedWorkers workers(processes);
                read_ranks_together(workers, reader);
              }),
              alone);
    EXPECT_EQ(names_in(archive), before);
  }
}

// Something befalls process 1 before it does its part.
class UnluckyWorkers final : public Workers {
 public:
  explicit UnluckyWorkers(void (*befalls)()) { before_part = befalls; }
  std::uint32_t size() const override { return 3; }
  std::string run(const SharedWork& work, std::string_view argument) override {
    inner = work.run;
    return ForkedWorkers(3).run({"unlucky",
                                 [](Processes& processes, std::string_view same) {
                                   if (processes.rank() == 1) before_part();
                                   return inner(processes, same);
                                 }},
                                argument);
  }

 private:
  static inline void (*before_part)() = nullptr;
  static inline std::string (*inner)(Processes& processes, std::string_view argument) = nullptr;
};

// As those of a launcher: what process 0 has in memory is not seen by the others, which have it in another thread.
class StrangeWorkers final : public Workers {
 public:
  explicit StrangeWorkers(std::uint32_t size) : size_(size) {}
  std::uint32_t size() const override { return size_; }
  std::string run(const SharedWork& work, std::string_view argument) override {
    inner = work.run;
    return ForkedWorkers(size_).run({"strange",
                                     [](Processes& processes, std::string_view same) {
                                       if (processes.rank() == 0) return inner(processes, same);
                                       return std::async(std::launch::async, inner, std::ref(processes), same).get();
                                     }},
                                    argument);
  }

 private:
  static inline std::string (*inner)(Processes& processes, std::string_view argument) = nullptr;
  std::uint32_t size_;
};

TEST_F(ReadTogether, IsLeftToOneProcessWhereAnotherIsKilled) {
  std::mt19937_64 random(9);
  const fs::path archive = write(4, random);
  const std::vector<std::string> before = names_in(archive);
  archive::Reader reader(archive);
  UnluckyWorkers workers([] { ::raise(SIGKILL); });
  EXPECT_FALSE(read_ranks_together(workers, reader).has_value());
  EXPECT_EQ(names_in(archive), before);
}

void leave_no_room() {
  ::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails then
  const rlimit least{16, RLIM_INFINITY};
  ::setrlimit(RLIMIT_FSIZE, &least);
}

TEST_F(ReadTogether, IsLeftToOneProcessWhereAnotherHasNoRoomForItsColumns) {
  std::mt19937_64 random(11);
  const fs::path archive = write(4, random);
  const std::vector<std::string> before = names_in(archive);
  archive::Reader reader(archive);
  UnluckyWorkers workers(leave_no_room);
  EXPECT_FALSE(read_ranks_together(workers, reader).has_value());
  EXPECT_EQ(names_in(archive), before);
}

TEST_F(ReadTogether, AnyNumberOfProcessesWritesTheSameBytes) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(fmt::format("seed {} (PLUMBLINE_SEED repeats it)", seed));
  std::mt19937_64 random(seed);
  const fs::path out = directory_ / "out", alone = directory_ / "alone";
  fs::create_directory(out);
  for (int round = 0; round < 5; ++round) {
    archive::Reader reader(observe(static_cast<std::uint32_t>(1 + random() % 9), random));
    Expected columns = random_columns(reader, random);
    columns.scratch = scratch_in(directory_.path());
    const Column<char> large(std::size_t{1} << 21, ' ', ScratchAllocator<char>(columns.scratch));  // now it is a file
    if (round % 2 == 1) {  // columns that have the same memory
      write_expected(reader, columns, {}, alone, Overwrite::kYes);
      archive::Reader written(alone);
      columns.ranks = read_ranks(written, {0, columns.ranks.size()}, columns.scratch).ranks;
    }
    write_expected(reader, columns, {}, alone, Overwrite::kYes);
    const auto expected = contents_of(alone);
    EXPECT_GT(expected.size(), 2U);
    for (const std::uint32_t processes : kProcesses) {
      SCOPED_TRACE(fmt::format("round {}, {} processes", round, processes));
      ForkedWorkers forked(processes);
      StrangeWorkers strange(processes);
      for (Workers* const workers : std::initializer_list<Workers*>{&forked, &strange}) {
        write_expected(reader, columns, {}, out / "expected", Overwrite::kYes, {workers});
        EXPECT_EQ(contents_of(out / "expected"), expected) << (workers->are_forked() ? "forked" : "by a file");
        EXPECT_THAT(names_in(out), testing::ElementsAre("expected"));
      }
    }
  }
}

// So that what compares bytes does not compare what one process wrote twice.
TEST_F(ReadTogether, SeveralProcessesWriteTogetherWhereTheyCan) {
  std::mt19937_64 random(17);
  archive::Reader reader(observe(6, random));
  const Expected columns = random_columns(reader, random);
  archive::Definitions definitions = reader.definitions();
  const ExpectedAttributes attributes(definitions);
  std::vector<archive::StringId> reasons;
  for (const std::string& reason : columns.reasons) reasons.push_back(definitions.strings.intern(reason));
  const EventsSource source{reader, definitions, attributes, columns.ranks, reasons, {}};
  ForkedWorkers forked(3);
  StrangeWorkers strange(3);
  for (Workers* const workers : std::initializer_list<Workers*>{&forked, &strange}) {
    archive::Writer writer(directory_ / "expected", Overwrite::kNo);
    writer.declare(definitions);
    EXPECT_TRUE(write_events_together({workers}, source, writer).has_value()) << workers->are_forked();
  }
}

TEST_F(ReadTogether, WhereAWriterHasNoRoomOneProcessWritesAll) {
  std::mt19937_64 random(19);
  const fs::path directory = directory_ / "out";
  fs::create_directory(directory);
  archive::Reader reader(observe(4, random));
  const Expected columns = random_columns(reader, random);
  write_expected(reader, columns, {}, directory / "alone", Overwrite::kNo);
  UnluckyWorkers workers(leave_no_room);
  write_expected(reader, columns, {}, directory / "expected", Overwrite::kNo, {&workers});
  EXPECT_THAT(names_in(directory), testing::ElementsAre("alone", "expected"));
  EXPECT_EQ(contents_of(directory / "expected"), contents_of(directory / "alone"));
}

TEST_F(ReadTogether, WhereAWriterIsKilledOneProcessWritesAll) {
  std::mt19937_64 random(13);
  const fs::path observed = observe(4, random), directory = directory_ / "out";
  fs::create_directory(directory);
  archive::Reader reader(observed);
  const Expected columns = random_columns(reader, random);
  write_expected(reader, columns, {}, directory / "alone", Overwrite::kNo);
  UnluckyWorkers workers([] { ::raise(SIGKILL); });
  write_expected(reader, columns, {}, directory / "expected", Overwrite::kNo, {&workers});
  EXPECT_THAT(names_in(directory), testing::ElementsAre("alone", "expected"));
  EXPECT_EQ(contents_of(directory / "expected"), contents_of(directory / "alone"));
}

TEST_F(ReadTogether, ColumnsThatDoNotFitAreTheErrorOfOneProcess) {
  std::mt19937_64 random(15);
  const fs::path observed = observe(6, random);
  archive::Reader reader(observed);
  Expected columns = random_columns(reader, random);
  for (const std::size_t rank : {5, 3}) columns.ranks[rank].free.push_back({});
  for (const std::uint32_t processes : kProcesses) {
    StrangeWorkers workers(processes);
    try {
      write_expected(reader, columns, {}, directory_ / "expected", Overwrite::kNo, {&workers});
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("rank 3 has other operations")) << processes;
    }
    EXPECT_FALSE(fs::exists(directory_ / "expected"));
  }
}

}  // namespace
}  // namespace plumbline::replay
