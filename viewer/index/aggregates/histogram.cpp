#include "viewer/index/aggregates/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

constexpr int kPerOctave = 8, kOctaves = 62;

// 0, 1, 2^(1/8), .. without those that are equal to the picosecond.
std::vector<Duration> finest_bounds() {
  std::vector<Duration> bounds{{0}};
  for (int i = 0; i <= kPerOctave * kOctaves; ++i) {
    const Duration bound{static_cast<std::int64_t>(std::ceil(std::exp2(static_cast<double>(i) / kPerOctave)))};
    if (bound > bounds.back()) bounds.push_back(bound);
  }
  return bounds;
}

std::size_t bin_of(const std::vector<Duration>& bounds, Duration duration) {
  const auto above = std::ranges::upper_bound(bounds, std::max(duration, Duration{}));
  return std::min(static_cast<std::size_t>(above - bounds.begin()), bounds.size() - 1) - 1;
}

// Without empty bins at both ends, and so many bins in one that there are few enough.
Histogram trimmed(const Histogram& fine) {
  const auto is_used = [&](std::size_t i) { return fine.observed[i] != 0 || fine.expected[i] != 0; };
  std::size_t first = 0, behind = fine.observed.size();
  while (first < behind && !is_used(first)) ++first;
  while (behind > first && !is_used(behind - 1)) --behind;
  if (first == behind) return {};
  std::size_t joined = 1;
  while ((behind - first + joined - 1) / joined > kMostBins) joined *= 2;
  Histogram few;
  for (std::size_t i = first; i < behind; i += joined) {
    few.bounds.push_back(fine.bounds[i]);
    std::uint64_t observed = 0, expected = 0;
    for (std::size_t j = i; j < std::min(i + joined, behind); ++j) {
      observed += fine.observed[j];
      expected += fine.expected[j];
    }
    few.observed.push_back(observed);
    few.expected.push_back(expected);
  }
  few.bounds.push_back(fine.bounds[std::min(first + few.observed.size() * joined, fine.bounds.size() - 1)]);
  return few;
}

}  // namespace

Histogram histogram_of(const Runs& runs, const OperationsAlike& alike) {
  Histogram fine;
  fine.bounds = finest_bounds();
  fine.observed.resize(fine.bounds.size() - 1);
  fine.expected.resize(fine.bounds.size() - 1);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const auto size = static_cast<std::uint32_t>(runs.observed.rank(rank).operations.size());
    for (std::uint32_t i = 0; i < size; ++i) {
      if (!alike.contains(rank, i)) continue;
      const Parts parts = parts_of(runs, rank, i);
      ++fine.observed[bin_of(fine.bounds, parts.observed)];
      if (parts.judged) ++fine.expected[bin_of(fine.bounds, parts.upper)];
    }
  }
  return trimmed(fine);
}

double percentile_of(const Histogram& histogram, Duration duration) {
  const std::uint64_t all = std::accumulate(histogram.observed.begin(), histogram.observed.end(), std::uint64_t{0});
  if (all == 0) return 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < histogram.observed.size() && histogram.bounds[i + 1] <= duration; ++i)
    below += histogram.observed[i];
  return 100.0 * static_cast<double>(below) / static_cast<double>(all);
}

}  // namespace plumbline::viewer
