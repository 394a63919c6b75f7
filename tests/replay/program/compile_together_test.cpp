// Several processes that compile an archive: what comes out is what one makes of it.

#include "replay/program/compile/compile_together.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/content_hash.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "base/error.hpp"
#include "base/team/forked.hpp"
#include "random_archive.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t kProcesses[] = {1, 2, 3, 5, 8};

std::string bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  return names;
}

struct Outcome {
  std::string bytes, error;
  std::vector<std::string> left;  // in the directory that was to have the program
  CompileSummary summary;
};

// What `compile` does to a file.
Outcome outcome_of(const std::function<void(const fs::path& file, CompileSummary& summary)>& compile) {
  const test::TemporaryDirectory directory;
  Outcome outcome;
  try {
    compile(directory / "program", outcome.summary);
    outcome.bytes = bytes_of(directory / "program");
    EXPECT_THAT(names_in(directory.path()), ElementsAre("program"));
  } catch (const Error& error) {
    outcome.error = to_string(error.problems().front());
    const std::size_t at = outcome.error.find(directory.path().string());  // another one each time
    if (at != std::string::npos) outcome.error.erase(at, directory.path().string().size());
  }
  outcome.left = names_in(directory.path());
  return outcome;
}

Outcome alone(const fs::path& archive, Damage damage) {
  return outcome_of([&](const fs::path& file, CompileSummary& summary) {
    archive::Reader reader(archive);
    compile(reader, file, summary, "source", damage);
  });
}

Outcome together(std::uint32_t processes, const fs::path& archive, Damage damage) {
  return outcome_of([&](const fs::path& file, CompileSummary& summary) {
    ForkedWorkers workers(processes);
    archive::Reader reader(archive);
    compile_together(workers, reader, file, summary, "source", damage);
  });
}

// Returns what one process makes of it.
Outcome expect_the_same(const fs::path& archive, Damage damage = Damage::kRefuse) {
  const Outcome expected = alone(archive, damage);
  for (const std::uint32_t processes : kProcesses) {
    SCOPED_TRACE(fmt::format("{} processes", processes));
    const Outcome found = together(processes, archive, damage);
    EXPECT_EQ(found.error, expected.error);
    EXPECT_EQ(found.left, expected.left);
    EXPECT_TRUE(found.bytes == expected.bytes);
    if (!expected.error.empty()) continue;
    EXPECT_EQ(found.summary.operations, expected.summary.operations);
    EXPECT_EQ(found.summary.messages, expected.summary.messages);
    EXPECT_EQ(found.summary.lacks, expected.summary.lacks);
    EXPECT_EQ(found.summary.remarks, expected.summary.remarks);
  }
  return expected;
}

// Process 1 is killed where it comes to an exchange.
class KilledProcesses final : public Processes {
 public:
  KilledProcesses(Processes& all, int exchange) : all_(all), left_(exchange) {}
  std::uint32_t rank() const override { return all_.rank(); }
  std::uint32_t size() const override { return all_.size(); }

 private:
  std::vector<std::string> exchange_bytes(std::string_view own) override {
    if (left_-- == 0 && rank() == 1) ::raise(SIGKILL);
    return all_.exchange(own);
  }
  std::vector<std::string> gather_bytes(std::string_view own) override { return all_.gather(own); }

  Processes& all_;
  int left_;
};

class KillingWorkers final : public Workers {
 public:
  explicit KillingWorkers(int exchange) { exchange_ = exchange; }
  std::uint32_t size() const override { return 3; }
  std::string run(const SharedWork& work, std::string_view argument) override {
    EXPECT_EQ(work.name, "program.compile");
    return ForkedWorkers(3).run({"killed",
                                 [](Processes& processes, std::string_view same) {
                                   KilledProcesses killed(processes, exchange_);
                                   return kCompile.run(killed, same);
                                 }},
                                argument);
  }

 private:
  static inline int exchange_ = 0;
};

class CompileTogether : public testing::Test {
 protected:
  fs::path write(const RandomArchive& archive) {
    const fs::path path = directory_ / fmt::format("obs{}", archives_++);
    write_random_archive(path, archive);
    return path;
  }
  static fs::path events_of(const fs::path& archive, std::uint64_t location) {
    return archive / "traces" / fmt::format("{}.evt", location);
  }
  static void cut(const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }

  test::TemporaryDirectory directory_;
  int archives_ = 0;
};

TEST_F(CompileTogether, MakesTheSameBytesOfArchivesOfOtherTools) {
  for (const char* name : {"scorep-10-ranks", "scorep-ping-pong"}) {
    fs::copy(fs::path(PLUMBLINE_GOLDEN) / name, directory_ / name, fs::copy_options::recursive);
    EXPECT_FALSE(expect_the_same(directory_ / name).bytes.empty()) << name;
  }
}

// How much there is of what has numbers in a program.
using Numbered = std::array<std::uint64_t, 12>;

Numbered numbered_in(const Program& program) {
  Numbered numbered = {program.comms(), program.windows().size(), program.calls(),
                       program.sites(), program.files(),          program.layouts(),
                       program.nodes(), program.reasons(),        program.hint_texts()};
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& part = program.rank(rank);
    for (const Operation& op : part.operations) {
      numbered[9] += is_io(op.kind) ? 1 : 0;
      numbered[10] += is_one_sided(op.kind) ? 1 : 0;
    }
    numbered[11] += part.inner_accesses.size();
  }
  return numbered;
}

TEST_F(CompileTogether, MakesTheSameBytesOfRandomArchives) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(fmt::format("seed {} (PLUMBLINE_SEED repeats it)", seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 20; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    const fs::path archive = write({.seed = random(), .ranks = static_cast<std::uint32_t>(1 + random() % 9)});
    ASSERT_FALSE(expect_the_same(archive).bytes.empty());
  }
}

TEST_F(CompileTogether, TheRandomArchivesHaveEverythingThatIsNumbered) {
  const fs::path archive = write({.seed = 3, .ranks = 9, .calls = 200});
  ASSERT_FALSE(expect_the_same(archive).bytes.empty());
  CompileSummary summary;
  EXPECT_THAT(numbered_in(program_of(archive, summary)), testing::Each(testing::Gt(2U)));
  EXPECT_THAT(summary.remarks, testing::Contains(HasSubstr("ended in")));
  EXPECT_THAT(summary.remarks, testing::Contains(HasSubstr("arguments that MPI refuses")));
}

TEST_F(CompileTogether, TheErrorIsThatOfTheFirstRankThatFails) {
  const fs::path archive = write({.seed = 5, .ranks = 8, .calls = 2000});
  cut(events_of(archive, 6));
  cut(events_of(archive, 2));
  const Outcome outcome = expect_the_same(archive);
  EXPECT_THAT(outcome.error, HasSubstr("rank 2, event "));
  EXPECT_THAT(outcome.left, IsEmpty());
}

TEST_F(CompileTogether, AProgramThatCannotBeReplayedIsNamedByItsFirstRankThatCannot) {
  const fs::path archive = write({.seed = 10, .ranks = 8, .first_bad_rank = 5});
  EXPECT_THAT(expect_the_same(archive).error, HasSubstr("rank 5: operation "));
}

TEST_F(CompileTogether, WhatIsDamagedInSeveralBlocksIsToldInTheOrderOfRanks) {
  const fs::path archive = write({.seed = 6, .ranks = 12, .calls = 2000});
  for (int rank = 11; rank > 1; --rank) cut(events_of(archive, rank));
  const Outcome outcome = expect_the_same(archive, Damage::kLeaveOut);
  ASSERT_GT(outcome.summary.remarks.size(), 8U);
  EXPECT_THAT(outcome.summary.remarks[0], HasSubstr("rank 2, event "));
  EXPECT_EQ(outcome.summary.remarks[8], "incomplete: 2 more locations are damaged");
}

// An access has 16 bits for the number of its hints.
TEST_F(CompileTogether, MoreHintsThanHaveNumbersAreThoseThatOneProcessLeavesOut) {
  const fs::path archive =
      write({.seed = 7, .ranks = 2, .calls = 100'000, .hints = 1'000'000, .only_opens_files = true});
  const Outcome expected = alone(archive, Damage::kRefuse);
  EXPECT_TRUE(together(2, archive, Damage::kRefuse).bytes == expected.bytes);
  // Without help from others, whichever way they fail, the program is made too.
  const Outcome helpless = outcome_of([&](const fs::path& file, CompileSummary& summary) {
    KillingWorkers workers(0);
    archive::Reader reader(archive);
    compile(reader, file, summary, "source", Damage::kRefuse, &workers);
  });
  EXPECT_TRUE(helpless.bytes == expected.bytes);
}

// So forked processes that have an archive open read its files each for itself.
TEST_F(CompileTogether, AnOpenArchiveHasNoFilesOpen) {
  const fs::path archive = write({.seed = 11});
  const archive::Reader reader(archive);
  for (const fs::directory_entry& file : fs::directory_iterator("/proc/self/fd")) {
    std::error_code closed;  // that of the directory itself
    EXPECT_THAT(fs::read_symlink(file, closed).string(), testing::Not(HasSubstr(archive.string())));
  }
}

// And what was skipped before is not told as many times as there are processes.
TEST_F(CompileTogether, WhatWasReadOfTheArchiveBeforeDoesNotCount) {
  fs::copy(fs::path(PLUMBLINE_GOLDEN) / "scorep-10-ranks", directory_ / "obs", fs::copy_options::recursive);
  const Outcome expected = alone(directory_ / "obs", Damage::kRefuse);
  for (const std::uint32_t processes : {1U, 3U}) {
    const Outcome found = outcome_of([&](const fs::path& file, CompileSummary& summary) {
      archive::Reader reader(directory_ / "obs");
      reader.read(0, [](const archive::Event&) {});
      ForkedWorkers workers(processes);
      compile_together(workers, reader, file, summary, "source", Damage::kRefuse);
    });
    EXPECT_TRUE(found.bytes == expected.bytes);
  }
}

TEST_F(CompileTogether, MakesAProgramThatIsOpen) {
  const fs::path archive = write({.seed = 8, .ranks = 7, .calls = 500});
  archive::Reader reader(archive);
  CompileSummary summary;
  ForkedWorkers workers(3);
  const Program program = compile_together(workers, reader, directory_ / "program", summary, "", Damage::kRefuse);
  EXPECT_EQ(program.ranks(), 7U);
  EXPECT_EQ(program.property("source"), content_hash(archive));
  EXPECT_EQ(Program::open(directory_ / "program").content_key(), program.content_key());
}

TEST_F(CompileTogether, NothingIsLeftWhereAProcessIsKilled) {
  const fs::path archive = write({.seed = 9, .ranks = 4, .calls = 500});
  for (int exchange = 0; exchange < 5; ++exchange) {
    const Outcome outcome = outcome_of([&](const fs::path& file, CompileSummary& summary) {
      KillingWorkers workers(exchange);
      archive::Reader reader(archive);
      compile_together(workers, reader, file, summary, "source", Damage::kRefuse);
    });
    EXPECT_THAT(outcome.error, HasSubstr("killed by signal 9")) << exchange;
    EXPECT_THAT(outcome.left, IsEmpty()) << exchange;
  }
}

}  // namespace
}  // namespace plumbline::replay
