// What is left of an archive of which a part is lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/error.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;

class DamagedArchive : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy(PLUMBLINE_GOLDEN "/scorep-10-ranks", archive_, fs::copy_options::recursive);
    CompileSummary summary;
    whole_ = readable_part_of(archive_, summary).rank(0).operations.size();
    ASSERT_GT(whole_, 0U);
  }

  fs::path events_of(int location) const { return archive_ / "traces" / (std::to_string(location) + ".evt"); }

  test::TemporaryDirectory directory_;
  const fs::path archive_ = directory_ / "obs";
  std::size_t whole_ = 0;  // operations of rank 0
};

TEST_F(DamagedArchive, GivesEachRankUpToItsFirstFault) {
  fs::resize_file(events_of(0), fs::file_size(events_of(0)) / 2);
  CompileSummary summary;
  EXPECT_THROW(program_of(archive_, summary), Error);
  summary = {};
  const Program program = readable_part_of(archive_, summary);
  EXPECT_EQ(program.ranks(), 10U);
  EXPECT_LT(program.rank(0).operations.size(), whole_);
  EXPECT_GT(program.rank(1).operations.size(), 0U);
  ASSERT_FALSE(summary.remarks.empty());
  EXPECT_THAT(summary.remarks.front(), testing::StartsWith("incomplete: "));
  EXPECT_THAT(summary.remarks.front(), testing::HasSubstr("obs"));
}

TEST_F(DamagedArchive, IsNotKeptForLater) {
  fs::resize_file(events_of(0), fs::file_size(events_of(0)) / 2);
  CompileSummary summary;
  readable_part_of(archive_, summary);
  EXPECT_FALSE(fs::exists(archive_ / "plumbline.program"));
}

TEST_F(DamagedArchive, WithoutDefinitionsIsAnError) {
  fs::resize_file(archive_ / "traces.def", 60);
  CompileSummary summary;
  EXPECT_THROW(readable_part_of(archive_, summary), Error);
}

TEST_F(DamagedArchive, GivesAProgramOrAnErrorWhereverItIsCut) {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const fs::path file = events_of(0), kept = directory_ / "kept";
  fs::copy_file(file, kept);
  int read = 0;
  for (int round = 0; round < 40; ++round) {
    fs::copy_file(kept, file, fs::copy_options::overwrite_existing);
    fs::resize_file(file, random() % fs::file_size(kept));
    try {
      CompileSummary summary;
      const Program program = readable_part_of(archive_, summary);
      ASSERT_EQ(program.ranks(), 10U);
      ++read;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace plumbline::replay
