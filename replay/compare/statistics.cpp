#include "replay/compare/statistics.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay {

std::int64_t median(std::vector<std::int64_t>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::uint64_t carriers(std::vector<std::int64_t>& values, double part) {
  std::sort(values.begin(), values.end(), std::greater<>());
  double total = 0;
  for (const std::int64_t value : values) total += static_cast<double>(std::max<std::int64_t>(value, 0));
  double sum = 0;
  std::uint64_t count = 0;
  while (count < values.size() && values[count] > 0 && sum < part * total) sum += static_cast<double>(values[count++]);
  return count;
}

}  // namespace plumbline::replay
