#include "bench/ranks/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "base/error.hpp"
#include "base/statistics/order.hpp"
#include "bench/ranks/requests.hpp"

namespace plumbline::bench {

AdaptiveSizes::AdaptiveSizes(std::uint64_t first, std::uint64_t last, AdaptiveRule rule)
    : first_(first), last_(last), rule_(rule), stride_(rule.stride), next_(first) {}

void AdaptiveSizes::add(double seconds) {
  const std::uint64_t size = *next_;
  const bool foreseen = times_.size() < 2 || is_on_the_line(seconds);
  const bool known_line = times_.size() >= 2;
  times_[size] = seconds;
  if (times_.size() >= rule_.max_num) {
    next_.reset();
  } else if (!foreseen && stride_ / 2 > rule_.min_stride) {
    stride_ /= 2;
    go_on_from(size - std::min(stride_, size - first_));
  } else {
    if (foreseen && known_line) stride_ *= 2;
    go_on_from(size + stride_);
  }
}

// diff = |1 - T (M1 - M0) / (T1 (M - M0) - T0 (M - M1))|
bool AdaptiveSizes::is_on_the_line(double seconds) const {
  const auto above = times_.lower_bound(*next_);
  if (std::distance(times_.begin(), above) < 2) return true;
  const auto& [m1, t1] = *std::prev(above);
  const auto& [m0, t0] = *std::prev(above, 2);
  const double foreseen = t1 * static_cast<double>(*next_ - m0) - t0 * static_cast<double>(*next_ - m1);
  return std::abs(1 - seconds * static_cast<double>(m1 - m0) / foreseen) < rule_.max_diff;
}

// The next that has no time yet. The last size is measured whatever the strides are.
void AdaptiveSizes::go_on_from(std::uint64_t size) {
  while (size < last_ && times_.contains(size)) size += stride_;
  next_ = std::min(size, last_);
  if (times_.contains(last_) && *next_ == last_) next_.reset();
}

AdaptiveRule adaptive_rule(const Request& request) {
  AdaptiveRule rule;
  const auto given = [&](std::string_view name) { return request.numbers.contains(std::string(name)); };
  if (given("stride")) rule.stride = count(request, "stride", 1);
  if (given("min_stride")) rule.min_stride = count(request, "min_stride", 1);
  if (given("max_diff")) rule.max_diff = number(request, "max_diff");
  if (given("max_num"))
    rule.max_num = static_cast<std::uint32_t>(std::min<std::uint64_t>(count(request, "max_num", 2), 1'000'000));
  if (!(rule.max_diff > 0)) throw Error(request.operation, "'max_diff' is not above 0", "0.1 is usual");
  return rule;
}

void for_each_size(const Context& context, const Request& request,
                   const std::function<double(std::uint64_t)>& measure) {
  if (!request.adaptive) {
    for (const std::uint64_t size : request.sizes) measure(size);
    return;
  }
  AdaptiveSizes sizes(request.sizes.front(), request.sizes.back(), adaptive_rule(request));
  while (sizes.next()) {
    double seconds = measure(*sizes.next());
    must(MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, context.world));
    sizes.add(seconds);
  }
}

double median_time(const Cell& cell) {
  std::vector<double> valid;
  for (std::size_t i = 0; i < cell.seconds.size(); ++i)
    if (i >= cell.flags.size() || cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
  return valid.empty() ? 0 : statistics::median(valid);
}

}  // namespace plumbline::bench
