#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/index/pyramid/search.hpp"
#include "viewer/index/runs/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "brute_force.hpp"
#include "random_runs.hpp"
#include "viewer/index/pyramid/strips.hpp"

namespace plumbline::viewer {
namespace {

RandomShape random_shape(std::mt19937_64& random) {
  const int bits[] = {3, 8, 12, 20, 33, 44, 60};
  RandomShape shape;
  shape.ranks = 1 + static_cast<std::uint32_t>(random() % 3);
  shape.operations = random() % 3 == 0 ? 20 : 800;
  shape.time_bits = bits[random() % std::size(bits)];
  shape.is_compared = random() % 8 != 0;
  shape.free_in_order = random() % 3 != 0;
  return shape;
}

PyramidOptions random_options(std::mt19937_64& random) {
  return {.most_strip_bytes = random() % 3 == 0 ? 0 : (random() % 64) * sizeof(Strip)};
}

// Some strip of the level, mostly one in which an operation begins.
std::uint32_t random_x(const Pyramid& pyramid, const RankTree& tree, const PyramidSource& source, unsigned level,
                       std::mt19937_64& random) {
  const std::uint64_t strips = std::uint64_t{1} << level;
  if (tree.times.empty() || random() % 4 == 0) return static_cast<std::uint32_t>(random() % strips);
  const std::int64_t offset = (tree.times[random() % tree.times.size()].begin - source.zero).ps;
  const std::uint64_t x = static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0)) / (pyramid.base_ps >> level);
  return static_cast<std::uint32_t>(std::min(x, strips - 1));
}

TimeRange random_range(const RankTree& tree, std::mt19937_64& random) {
  const auto time = [&] {
    const replay::OperationTimes& times = tree.times[random() % tree.times.size()];
    return (random() % 2 == 0 ? times.begin : times.end) + Duration{static_cast<std::int64_t>(random() % 3) - 1};
  };
  const Time a = time(), b = time();
  return {std::min(a, b), std::max(a, b)};
}

void expect_equal(const RangeSummary& told, const RangeSummary& truth) {
  EXPECT_EQ(told.time_ps, truth.time_ps);
  EXPECT_EQ(told.own, truth.own);
  EXPECT_EQ(told.own_operation, truth.own_operation);
  EXPECT_EQ(told.inherited, truth.inherited);
  EXPECT_EQ(told.inherited_operation, truth.inherited_operation);
  EXPECT_EQ(told.begun, truth.begun);
  EXPECT_EQ(told.carried, truth.carried);
  EXPECT_EQ(told.kinds, truth.kinds);
  EXPECT_EQ(told.marks, truth.marks);
}

template <class Plane>
void expect_equal_plane(const char* name, const Plane& told, const Plane& truth) {
  const auto [a, b] = std::ranges::mismatch(told, truth);
  if (a != told.end())
    ADD_FAILURE() << name << " of column " << a - told.begin() << ": " << int{*a} << ", truth " << int{*b};
}

void expect_equal(const Strip& told, const Strip& truth) {
  expect_equal_plane("kind", told.planes.kind, truth.planes.kind);
  expect_equal_plane("busy", told.planes.busy, truth.planes.busy);
  expect_equal_plane("count", told.planes.count, truth.planes.count);
  expect_equal_plane("own", told.planes.own, truth.planes.own);
  expect_equal_plane("inherited", told.planes.inherited, truth.planes.inherited);
  expect_equal_plane("marks", told.planes.marks, truth.planes.marks);
  EXPECT_EQ(told.operations, truth.operations);
  EXPECT_EQ(told.worst_operation, truth.worst_operation);
}

class PyramidOfAnything : public testing::Test {
 protected:
  // Calls `check` with runs, pyramid, source, rank and what asking every operation tells.
  template <class Check>
  void each(int programs, Check check) {
    for (int i = 0; i < programs && !HasFailure(); ++i) {
      const RandomShape shape = random_shape(random_);
      const Runs runs = random_runs(directory_ / "program", shape, random_);
      Pyramid pyramid = make_pyramid(runs, {}, random_options(random_));
      if (random_() % 2 == 0) add_whatif(pyramid, runs, 3, shuffled_times(runs));
      SCOPED_TRACE(testing::Message() << "program " << i << ", up to 2^" << shape.time_bits << " ps");
      for (const PyramidSource& source : pyramid.sources)
        for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
          check(runs, pyramid, source, rank, BruteForce(runs, source, rank));
    }
  }

  // The times of the observed run, at other operations.
  std::vector<Column<replay::OperationTimes>> shuffled_times(const Runs& runs) {
    std::vector<Column<replay::OperationTimes>> times;
    for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
      const auto observed = runs.observed.rank(rank).times;
      std::ranges::shuffle(times.emplace_back(observed.begin(), observed.end()), random_);
    }
    return times;
  }

  const test::TemporaryDirectory directory_;
  std::mt19937_64 random_ = printed_random();
};

TEST_F(PyramidOfAnything, EveryColumnOfEveryLevelIsExact) {
  each(40, [&](const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               const BruteForce& truth) {
    for (unsigned level = 0; level <= pyramid.most_level; level += level < pyramid.stored_levels ? 1 : 3) {
      const std::uint32_t x = random_x(pyramid, source.ranks[rank], source, level, random_);
      SCOPED_TRACE(testing::Message() << "source " << int{source.number} << ", rank " << rank << ", level " << level
                                      << " of " << pyramid.stored_levels << " stored, x " << x);
      expect_equal(strip_of(runs, pyramid, source, rank, level, x), truth.strip(pyramid, source, level, x));
    }
  });
}

TEST_F(PyramidOfAnything, AnyRangeIsSummedExactly) {
  each(60, [&](const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               const BruteForce& truth) {
    for (int i = 0; i < 20 && !source.ranks[rank].times.empty(); ++i) {
      const TimeRange range = random_range(source.ranks[rank], random_);
      SCOPED_TRACE(testing::Message() << "rank " << rank << ", " << range.begin.ps << " to " << range.end.ps);
      expect_equal(summary_of(runs, pyramid, source, rank, range), truth.summary(range));
    }
  });
}

TEST_F(PyramidOfAnything, OperationsOfARangeAreFoundAndTheWorstComeFirst) {
  each(60, [&](const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               const BruteForce& truth) {
    for (int i = 0; i < 20 && !source.ranks[rank].times.empty(); ++i) {
      const TimeRange range = random_range(source.ranks[rank], random_);
      std::vector<std::uint32_t> all = truth.operations(range);
      EXPECT_EQ(operations_in(source, rank, range, 1000), all);
      all.resize(std::min<std::size_t>(all.size(), 5));
      EXPECT_EQ(operations_in(source, rank, range, 5), all);
      const std::size_t most = random_() % 30;
      EXPECT_EQ(worst_in(runs, pyramid, source, std::array{rank}, range, most), truth.worst(range, most));
    }
  });
}

TEST_F(PyramidOfAnything, TheWorstOfManyRanksAreTheWorstOfAll) {
  const Runs runs = random_runs(directory_ / "program", {.ranks = 5}, random_);
  const Pyramid pyramid = make_pyramid(runs);
  const PyramidSource& source = pyramid.sources[0];
  const TimeRange all = range_of(pyramid, source, 0, 0);
  std::vector<std::pair<Duration, OperationId>> truth;
  for (const std::uint32_t rank : {1U, 2U, 3U})
    for (const OperationId id : BruteForce(runs, source, rank).worst(all, 50)) {
      const Parts parts = parts_of(runs, id.rank, id.operation);
      truth.emplace_back(parts.own > parts.band || -parts.own > parts.band ? parts.own : Duration{}, id);
    }
  std::ranges::stable_sort(truth, [](const auto& a, const auto& b) { return is_worse(a.first, b.first); });
  const std::vector<OperationId> worst = worst_in(runs, pyramid, source, std::array{1U, 2U, 3U}, all, 50);
  ASSERT_EQ(worst.size(), std::min<std::size_t>(truth.size(), 50));
  for (std::size_t i = 0; i < worst.size(); ++i) EXPECT_EQ(worst[i], truth[i].second) << i;
}

TEST_F(PyramidOfAnything, AWhatIfRunIsReplacedAndRemovedByItsNumber) {
  const Runs runs = random_runs(directory_ / "program", {}, random_);
  Pyramid pyramid = make_pyramid(runs);
  add_whatif(pyramid, runs, 1, shuffled_times(runs));
  add_whatif(pyramid, runs, 2, shuffled_times(runs));
  add_whatif(pyramid, runs, 1, shuffled_times(runs));
  EXPECT_EQ(pyramid.sources.size(), 4U);
  EXPECT_NE(find_source(pyramid, 2), nullptr);
  remove_whatif(pyramid, 1);
  EXPECT_EQ(find_source(pyramid, 2), nullptr);
  EXPECT_NE(find_source(pyramid, 3), nullptr);
}

TEST_F(PyramidOfAnything, RefusesAWhatIfRunOfOtherOperations) {
  const Runs runs = random_runs(directory_ / "program", {}, random_);
  Pyramid pyramid = make_pyramid(runs);
  std::vector<Column<replay::OperationTimes>> times = shuffled_times(runs);
  times[0].pop_back();
  EXPECT_THROW(add_whatif(pyramid, runs, 1, times), Error);
  times.pop_back();
  EXPECT_THROW(add_whatif(pyramid, runs, 1, times), Error);
  EXPECT_EQ(pyramid.sources.size(), 2U);
}

TEST_F(PyramidOfAnything, SurvivesBeingMovedTogetherWithItsRuns) {
  Runs runs = random_runs(directory_ / "program", {}, random_);
  Pyramid pyramid = make_pyramid(runs);
  const Strip before = strip_of(runs, pyramid, pyramid.sources[1], 0, 3, 2);
  const Runs moved = std::move(runs);
  const Pyramid pyramid_moved = std::move(pyramid);
  expect_equal(strip_of(moved, pyramid_moved, pyramid_moved.sources[1], 0, 3, 2), before);
}

TEST_F(PyramidOfAnything, StoredStripsKeepToTheirBytes) {
  const Runs runs = random_runs(directory_ / "program", {.ranks = 4, .operations = 5000}, random_);
  const std::uint64_t most = 100 * sizeof(Strip);
  const Pyramid pyramid = make_pyramid(runs, {}, {.most_strip_bytes = most});
  EXPECT_LE(2 * 4 * strips_of(pyramid.stored_levels) * sizeof(Strip), most);
  EXPECT_LE(pyramid.stored_levels, 3U);  // 8 x 7 strips
}

}  // namespace
}  // namespace plumbline::viewer
