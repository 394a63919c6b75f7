#include "replay/compare/statistics.hpp"

#include <algorithm>
#include <functional>

namespace plumbline::replay {

std::uint64_t carriers(std::span<std::int64_t> values, double part) {
  std::sort(values.begin(), values.end(), std::greater<>());
  double total = 0;
  for (const std::int64_t value : values) total += static_cast<double>(std::max<std::int64_t>(value, 0));
  double sum = 0;
  std::uint64_t count = 0;
  while (count < values.size() && values[count] > 0 && sum < part * total) sum += static_cast<double>(values[count++]);
  return count;
}

}  // namespace plumbline::replay
