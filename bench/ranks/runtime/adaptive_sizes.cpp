#include "bench/ranks/runtime/adaptive_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

namespace plumbline::bench {

AdaptiveSizes::AdaptiveSizes(std::uint64_t first, std::uint64_t last, AdaptiveRule rule)
    : first_(first), last_(last), rule_(rule), stride_(rule.stride), next_(first) {}

void AdaptiveSizes::add(double seconds) {
  times_[*next_] = seconds;
  const std::uint64_t size = *next_;
  next_.reset();
  if (times_.size() < rule_.max_num) go_on_from(size);
}

// The rule, until it comes to a size that has no time yet: those that have are judged again, as there may be nearer
// ones below them by now, but not for ever.
void AdaptiveSizes::go_on_from(std::uint64_t size) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  while (times_.contains(size)) {
    const bool was_here = !seen.insert({size, stride_}).second;
    if (!is_on_the_line(size) && stride_ / 2 > rule_.min_stride && !was_here) {
      stride_ /= 2;
      size -= std::min(stride_, size - first_);
      continue;
    }
    if (size == last_) return;
    if (is_on_the_line(size) && has_a_line(size) && !was_here) stride_ *= 2;
    size = last_ - size > stride_ ? size + stride_ : last_;
  }
  next_ = size;
}

bool AdaptiveSizes::has_a_line(std::uint64_t size) const {
  return std::distance(times_.begin(), times_.lower_bound(size)) >= 2;
}

// diff = |1 - T (M1 - M0) / (T1 (M - M0) - T0 (M - M1))|
bool AdaptiveSizes::is_on_the_line(std::uint64_t size) const {
  if (!has_a_line(size)) return true;
  const auto own = times_.find(size);
  const auto& [m1, t1] = *std::prev(own);
  const auto& [m0, t0] = *std::prev(own, 2);
  const double foreseen = t1 * static_cast<double>(size - m0) - t0 * static_cast<double>(size - m1);
  return std::abs(1 - own->second * static_cast<double>(m1 - m0) / foreseen) < rule_.max_diff;
}

}  // namespace plumbline::bench
