#include "bench/ranks/collectives/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace plumbline::bench {
namespace {

struct GridSearch {
  std::vector<int> now, best;

  bool is_better() const {
    if (best.empty()) return true;
    const int difference = now.front() - now.back(), least = best.front() - best.back();
    return difference != least ? difference < least : now.front() < best.front();
  }

  // `left` is to be the product of `dimensions` more lengths, none of them above `most`.
  void fill(int left, int dimensions, int most) {
    if (dimensions == 1) {
      if (left > most) return;
      now.push_back(left);
      if (is_better()) best = now;
      now.pop_back();
      return;
    }
    for (int length = std::min(left, most); length >= 1; --length) {
      if (left % length != 0) continue;
      now.push_back(length);
      fill(left / length, dimensions - 1, length);
      now.pop_back();
    }
  }
};

bool is_in(Shape shape, const Offset& offset, int radius) {
  const int sum =
      std::accumulate(offset.begin(), offset.end(), 0, [](int all, int each) { return all + std::abs(each); });
  return sum > 0 && (shape == Shape::kMoore || sum <= radius);
}

// The next one of the cube; false behind the last one.
bool advance(Offset& offset, int radius) {
  for (std::size_t i = offset.size(); i-- > 0;) {
    if (++offset[i] <= radius) return true;
    offset[i] = -radius;
  }
  return false;
}

}  // namespace

std::vector<int> grid_lengths(int ranks, int dimensions) {
  GridSearch search;
  search.fill(ranks, dimensions, ranks);
  return search.best;
}

std::vector<Offset> offsets_of(Shape shape, int dimensions, int radius, OffsetOrder order) {
  std::vector<Offset> offsets;
  Offset offset(static_cast<std::size_t>(dimensions), -radius);
  do {
    if (is_in(shape, offset, radius)) offsets.push_back(offset);
  } while (advance(offset, radius));
  // Both shapes are the same with their coordinates in the other order.
  if (order == OffsetOrder::kLastMajor)
    for (Offset& each : offsets) std::ranges::reverse(each);
  return offsets;
}

std::uint64_t count_of_moore(int dimensions, int radius, std::uint64_t most) {
  std::uint64_t count = 1;
  for (int i = 0; i < dimensions && count <= most; ++i) count *= 2 * static_cast<std::uint64_t>(radius) + 1;
  return std::min(count - 1, most);
}

}  // namespace plumbline::bench
