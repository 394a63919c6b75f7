#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/ranges.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "random_runs.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

class IndexFile : public testing::Test {
 protected:
  // Whether it had to be made; and whatever came of it tells what one in memory tells.
  bool is_made(const Runs& runs, const std::vector<fs::path>& places) {
    bool made = false;
    const Pyramid stored = stored_pyramid(runs, places, {}, &made), fresh = make_pyramid(runs);
    EXPECT_EQ(stored.base_ps, fresh.base_ps);
    EXPECT_EQ(stored.sources.size(), fresh.sources.size());
    for (std::size_t s = 0; s < fresh.sources.size(); ++s)
      for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
        for (unsigned level = 0; level <= fresh.most_level; ++level) {
          const std::uint32_t x = (1U << level) / 3;
          const Strip a = strip_of(runs, stored, stored.sources[s], rank, level, x);
          const Strip b = strip_of(runs, fresh, fresh.sources[s], rank, level, x);
          EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << "source " << s << ", rank " << rank << ", level " << level;
        }
    return made;
  }

  const test::TemporaryDirectory directory_;
  const std::vector<fs::path> places_ = {directory_ / "plumbline.index"};
  std::mt19937_64 random_ = printed_random();
  Runs runs_ = random_runs(directory_ / "program", {}, random_);
};

TEST_F(IndexFile, IsMadeOnceAndThenFound) {
  EXPECT_TRUE(is_made(runs_, places_));
  EXPECT_FALSE(is_made(runs_, places_));
}

TEST_F(IndexFile, HasTheSameBytesByAnyNumberOfThreads) {
  stored_pyramid(runs_, places_);
  const std::string alone = contents(places_.front());
  ASSERT_FALSE(alone.empty());
  for (const std::uint32_t jobs : {2U, 3U, 5U, 64U}) {
    const std::vector<fs::path> places = {directory_ / fmt::format("{}.index", jobs)};
    stored_pyramid(runs_, places, {.pyramid = {.jobs = jobs}});
    EXPECT_EQ(contents(places.front()), alone) << jobs;
  }
}

TEST_F(IndexFile, OfAnotherPairIsMadeAgain) {
  EXPECT_TRUE(is_made(runs_, places_));
  runs_.expected->ranks[0].upper[0] += nanoseconds(1);
  EXPECT_TRUE(is_made(runs_, places_));
  set_marks(runs_, std::array<OperationId, 1>{{{0, 0}}});
  EXPECT_TRUE(is_made(runs_, places_));
  EXPECT_FALSE(is_made(runs_, places_));
  runs_.expected.reset();
  EXPECT_TRUE(is_made(runs_, places_));
}

TEST_F(IndexFile, DamagedAnywhereIsMadeAgain) {
  EXPECT_TRUE(is_made(runs_, places_));
  const std::string whole = contents(places_[0]);
  for (int i = 0; i < 40; ++i) {
    std::string damaged = whole;
    switch (random_() % 3) {
      case 0:
        damaged.resize(random_() % damaged.size());
        break;
      case 1:
        damaged.append(1 + random_() % 100, 'x');
        break;
      default:
        damaged[i < 20 ? random_() % 56 : random_() % damaged.size()] ^= static_cast<char>(1 + random_() % 255);
    }
    put(places_[0], damaged);
    ASSERT_TRUE(is_made(runs_, places_));
    ASSERT_EQ(contents(places_[0]), whole);
  }
}

TEST_F(IndexFile, LiesInTheNextPlaceWhereTheFirstTakesNone) {
  fs::create_directory(directory_ / "taken");
  const std::vector<fs::path> places = {directory_ / "taken", directory_ / "deep/in/cache.index"};
  EXPECT_TRUE(is_made(runs_, places));
  EXPECT_TRUE(fs::exists(places[1]));
  EXPECT_FALSE(is_made(runs_, places));
}

TEST_F(IndexFile, StaysInMemoryWhereNoPlaceTakesIt) {
  put(directory_ / "file", "");
  EXPECT_TRUE(is_made(runs_, {directory_ / "file/plumbline.index", "/proc/plumbline.index"}));
  EXPECT_TRUE(is_made(runs_, {}));
}

TEST_F(IndexFile, LeavesNothingElseBehind) {
  is_made(runs_, places_);
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_.path()))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"plumbline.index", "program"}));
}

}  // namespace
}  // namespace plumbline::viewer
