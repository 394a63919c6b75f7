#include "cli/workflows/validate/session/room.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kTooMuch = std::uint64_t{1} << 60;

std::string fault_of(const std::vector<Need>& needs) {
  try {
    require_room(needs);
    return "none";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
}

std::uint64_t sum_of(const std::vector<Need>& needs) {
  std::uint64_t sum = 0;
  for (const Need& need : needs) sum += need.bytes;
  return sum;
}

TEST(Room, IsAskedForByWhatGoesWhereInOneSentence) {
  const plumbline::test::TemporaryDirectory directory;
  const std::string place = directory.path().string();
  const std::string fault = fault_of({{place, "archives", kTooMuch}, {place, "spools", 1 << 20}});
  EXPECT_THAT(fault, AllOf(HasSubstr(place + ": has "), HasSubstr(" MiB free, and this needs 1099511627777 MiB: "),
                           HasSubstr("1099511627776 MiB for archives, 1 MiB for spools; free some")));
}

// What shares a disk shares its room.
TEST(Room, OfOneDiskIsForAllThatGoesThere) {
  const plumbline::test::TemporaryDirectory directory;
  std::vector<Need> needs = {{directory.path(), "a", 1}};
  EXPECT_EQ(fault_of(needs), "none");
  needs.push_back({directory.path(), "b", kTooMuch});
  EXPECT_NE(fault_of(needs), "none");
}

TEST(Room, OfADirectoryThatIsToBeMadeIsThatOfTheOneThatIsThere) {
  const plumbline::test::TemporaryDirectory directory;
  EXPECT_NE(fault_of({{directory.path() / "to/be/made", "a", kTooMuch}}), "none");
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "to"));
}

TEST(Room, GrowsWithLevelRanksAndMpis) {
  Options options;
  options.directory = "out";
  options.level = Level::kQuick;
  const std::uint64_t quick = sum_of(needs_of(options, 1, 2, 2));
  EXPECT_LT(quick, sum_of(needs_of(options, 2, 2, 2)));
  EXPECT_LT(quick, sum_of(needs_of(options, 1, 64, 2)));
  options.level = Level::kFull;
  EXPECT_LT(quick, sum_of(needs_of(options, 1, 2, 2)));
}

TEST(Room, OfStorageIsNeededInEachDirectoryThatIsMeasured) {
  Options options;
  options.directory = "out";
  options.io = {"/a", "/b"};
  const auto needs = needs_of(options, 1, 2, 2);
  EXPECT_EQ(needs[2].directory, "/a");
  EXPECT_EQ(needs[3].directory, "/b");
  EXPECT_EQ(needs[2].bytes, needs[3].bytes);
}

TEST(Reserve, IsThereUntilItIsReleased) {
  const plumbline::test::TemporaryDirectory directory;
  Reserve reserve(directory.path() / "kept");
  EXPECT_GT(std::filesystem::file_size(directory.path() / "kept"), 1U << 20);
  reserve.release();
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "kept"));
}

TEST(Reserve, ThatCannotBeMadeIsNone) {
  Reserve reserve("/nowhere/at/all");
  reserve.release();
}

}  // namespace
}  // namespace plumbline::cli::validate
