#include "viewer/index/lanes/fold_strips.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/ranges.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <numeric>

#include "tests/viewer/index/random_runs.hpp"
#include "viewer/index/lanes/lane_strips.hpp"
#include "viewer/index/pyramid/strips.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

class KeptFoldStrips : public testing::Test {
 protected:
  // All ranks but the last one as one lane.
  static Folds folds_of(const Runs& runs) {
    Folds folds;
    Fold& fold = folds.folds.emplace_back();
    fold.ranks.resize(runs.observed.ranks() - 1);
    std::iota(fold.ranks.begin(), fold.ranks.end(), 0U);
    folds.folds.emplace_back().ranks = {runs.observed.ranks() - 1};
    return folds;
  }

  // What a walk over all operations of the ranks tells.
  Strip truth(const PyramidSource& source, unsigned level, std::uint32_t x) const {
    std::vector<RangeSummary> columns(kColumns);
    const TimeRange range = range_of(pyramid_, source, level, x);
    const std::int64_t length = (range.end - range.begin).ps / static_cast<std::int64_t>(kColumns);
    for (std::size_t i = 0; i < kColumns; ++i) {
      const Time begin = range.begin + Duration{static_cast<std::int64_t>(i) * length};
      const bool is_last = i + 1 == kColumns;
      RangeSummary& all = columns[i];
      for (const std::uint32_t rank : folds_.folds[0].ranks) {
        const RangeSummary one =
            summary_of(runs_, pyramid_, source, rank, {begin, is_last ? range.end : begin + Duration{length}});
        for (std::size_t kind = 0; kind < kCallKinds; ++kind)
          if (__builtin_add_overflow(all.time_ps[kind], one.time_ps[kind], &all.time_ps[kind]))
            all.time_ps[kind] = INT64_MAX;
        if (is_worse(one.own, all.own)) all.own = one.own;
        if (is_worse(one.inherited, all.inherited)) all.inherited = one.inherited;
        all.begun += one.begun;
        all.carried += one.carried;
        all.kinds |= one.kinds;
        all.marks |= one.marks;
      }
    }
    Strip strip;
    write_strip(columns, column_shift(pyramid_, level), strip,
                static_cast<std::uint32_t>(folds_.folds[0].ranks.size()));
    strip.worst_operation = replay::kNone;
    return strip;
  }

  static void expect_same(const Strip& told, const Strip& truth) {
    EXPECT_EQ(std::memcmp(&told.planes, &truth.planes, sizeof truth.planes), 0);
    EXPECT_EQ(told.operations, truth.operations);
    EXPECT_EQ(told.worst_operation, truth.worst_operation);
  }

  const test::TemporaryDirectory directory_;
  std::mt19937_64 random_ = printed_random();
  const bool in_order_ = random_() % 2 == 0;
  const Runs runs_ =
      random_runs(directory_ / "program", {.ranks = 5, .operations = 3000, .free_in_order = in_order_}, random_);
  const Pyramid pyramid_ = make_pyramid(runs_);
  const Folds folds_ = folds_of(runs_);
  const FoldStripsOptions options_{.many_ranks = 2, .scratch = {}, .jobs = 2};
};

TEST_F(KeptFoldStrips, AreWhatAllOperationsOfTheRanksTell) {
  const std::vector<FoldStrips> kept = make_fold_strips(runs_, pyramid_, folds_, options_);
  ASSERT_EQ(kept.size(), 2U);  // observed and free, of the lane of several ranks
  for (const PyramidSource& source : pyramid_.sources)
    for (unsigned level = 0; level < kept[source.number].levels; ++level)
      for (std::uint32_t x = 0; x < 1U << level; x += 1 + (1U << level) / 8) {
        const Strip* const strip = find_strip(kept, 0, source.number, level, x);
        ASSERT_NE(strip, nullptr);
        expect_same(*strip, truth(source, level, x));
      }
}

TEST_F(KeptFoldStrips, BelowThemAreFoundSideBySideAsOneByOne) {
  const unsigned level = std::min(pyramid_.most_level, pyramid_.stored_levels + 2);
  const std::uint32_t last = std::min(20U, (1U << level) - 1);
  const std::vector<Strip> strips =
      strips_of_ranks(runs_, pyramid_, pyramid_.sources[0], folds_.folds[0].ranks, level, 0, last);
  ASSERT_EQ(strips.size(), last + 1U);
  for (std::uint32_t x = 0; x <= last; ++x) expect_same(strips[x], truth(pyramid_.sources[0], level, x));
}

TEST_F(KeptFoldStrips, OfOtherLanesLevelsAndSourcesAreNotThere) {
  const std::vector<FoldStrips> kept = make_fold_strips(runs_, pyramid_, folds_, options_);
  EXPECT_EQ(find_strip(kept, 1, 0, 0, 0), nullptr);
  EXPECT_EQ(find_strip(kept, 0, 2, 0, 0), nullptr);
  EXPECT_EQ(find_strip(kept, 0, 0, kept[0].levels, 0), nullptr);
  EXPECT_TRUE(make_fold_strips(runs_, pyramid_, folds_).empty());  // these ranks are few
}

TEST_F(KeptFoldStrips, AreKeptAndMadeAgainWhereTheFileIsDamagedOrOfOtherFolds) {
  const std::vector<fs::path> places = {directory_ / "plumbline.folds"};
  const std::vector<FoldStrips> truth = make_fold_strips(runs_, pyramid_, folds_, options_);
  const auto are_equal = [](const std::vector<FoldStrips>& a, const std::vector<FoldStrips>& b) {
    return a.size() == b.size() && a[0].strips.size() == b[0].strips.size() &&
           std::memcmp(a[0].strips.data(), b[0].strips.data(), b[0].strips.size() * sizeof(Strip)) == 0;
  };
  const auto stored = [&](const Folds& folds) {
    return stored_fold_strips(runs_, pyramid_, folds, 7, places, options_);
  };
  EXPECT_TRUE(are_equal(stored(folds_), truth));
  const auto written = fs::last_write_time(places[0]);
  EXPECT_TRUE(are_equal(stored(folds_), truth));
  EXPECT_EQ(fs::last_write_time(places[0]), written);
  {
    std::fstream file(places[0], std::ios::binary | std::ios::in | std::ios::out);
    const auto place = static_cast<std::streamoff>(random_() % fs::file_size(places[0]));
    file.seekg(place);
    const int byte = file.get();
    file.seekp(place);
    file.put(static_cast<char>(byte ^ 1));
  }
  EXPECT_TRUE(are_equal(stored(folds_), truth));
  Folds others = folds_;
  others.folds[0].ranks.pop_back();
  EXPECT_TRUE(are_equal(stored(others), make_fold_strips(runs_, pyramid_, others, options_)));
}

}  // namespace
}  // namespace plumbline::viewer
