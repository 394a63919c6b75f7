#include "replay/expect/columns/times_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "base/error.hpp"
#include "random_program.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

using Times = std::vector<Column<OperationTimes>>;

Times random_times(const Program& program, std::mt19937_64& random) {
  Times times(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    Time now;
    for (std::size_t i = 0; i < program.rank(rank).operations.size(); ++i) {
      const Time begin = now + Duration{static_cast<std::int64_t>(random() % 1000)};
      now = begin + Duration{static_cast<std::int64_t>(random() % 1000)};
      times[rank].push_back({begin, now});
    }
  }
  return times;
}

bool are_equal(const Times& a, const Times& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return std::ranges::equal(one, other, [](const OperationTimes& x, const OperationTimes& y) {
      return x.begin == y.begin && x.end == y.end;
    });
  });
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TimesFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::uint64_t seed = test::random_seed();
    std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
    random_.seed(seed);
  }
  Program program() { return random_program(random_(), directory_ / ("program" + std::to_string(++programs_))); }

  test::TemporaryDirectory directory_;
  std::filesystem::path file_ = directory_ / "times";
  std::mt19937_64 random_;
  int programs_ = 0;
};

TEST_F(TimesFile, ComesBackAsItWasWritten) {
  for (int round = 0; round < 20; ++round) {
    const Program one = program();
    const Times times = random_times(one, random_);
    write_times(file_, one, times);
    ASSERT_TRUE(are_equal(read_times(file_, one), times)) << "round " << round;
  }
}

TEST_F(TimesFile, OfAnotherProgramIsRefused) {
  const Program one = program(), other = program();
  write_times(file_, one, random_times(one, random_));
  EXPECT_THROW(read_times(file_, other), Error);
}

TEST_F(TimesFile, ThatIsDamagedIsReadOrRefused) {
  const Program one = program();
  write_times(file_, one, random_times(one, random_));
  const std::string whole = content_of(file_);
  int refused = 0;
  for (int round = 0; round < 500; ++round) {
    std::string bytes = whole;
    const std::size_t at = random_() % bytes.size();
    if (round % 2 == 0)
      bytes.resize(at);
    else
      bytes[at] = static_cast<char>(random_());
    std::ofstream(file_, std::ios::binary) << bytes;
    try {
      const Times times = read_times(file_, one);
      for (std::uint32_t rank = 0; rank < one.ranks(); ++rank)
        ASSERT_EQ(times[rank].size(), one.rank(rank).operations.size()) << "round " << round;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, 250) << "every file that is cut short, at least";
}

TEST_F(TimesFile, WhereItCannotBeWrittenIsAnError) {
  const Program one = program();
  EXPECT_THROW(write_times(directory_ / "none/times", one, random_times(one, random_)), Error);
}

}  // namespace
}  // namespace plumbline::replay
