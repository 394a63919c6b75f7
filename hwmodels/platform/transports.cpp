#include "hwmodels/platform/transports.hpp"

#include <algorithm>

namespace plumbline::hw {
namespace {

// Where a range of some pair begins, or ends just before: between two such nodes all are in the same ranges.
std::vector<std::uint32_t> borders_of(const std::vector<PairTransport>& pairs, std::uint32_t nodes) {
  std::vector<std::uint32_t> borders{0};
  for (const PairTransport& pair : pairs)
    for (const std::uint32_t border : {pair.first_a, pair.last_a + 1, pair.first_b, pair.last_b + 1})
      if (border < nodes) borders.push_back(border);
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  return borders;
}

bool is_in(std::uint32_t first, std::uint32_t last, std::uint32_t node) { return first <= node && node <= last; }

}  // namespace

Transports::Transports(const Platform& platform) : transports_{platform.inside, platform.between} {
  for (const PairTransport& pair : platform.pairs) transports_.push_back(pair.transport);
  if (platform.pairs.empty()) return;
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  const std::vector<std::uint32_t> borders = borders_of(platform.pairs, nodes);
  class_count_ = static_cast<std::uint32_t>(borders.size());
  for (std::uint32_t node = 0; node < nodes; ++node)
    classes_.push_back(
        static_cast<std::uint32_t>(std::upper_bound(borders.begin(), borders.end(), node) - borders.begin()) - 1);
  of_classes_.assign(std::size_t{class_count_} * class_count_, 1);
  for (std::uint32_t a = 0; a < class_count_; ++a)
    for (std::uint32_t b = 0; b < class_count_; ++b)
      for (std::uint32_t i = 0; i < platform.pairs.size(); ++i) {
        const PairTransport& pair = platform.pairs[i];
        const auto holds = [&](std::uint32_t one, std::uint32_t other) {
          return is_in(pair.first_a, pair.last_a, one) && is_in(pair.first_b, pair.last_b, other);
        };
        if (holds(borders[a], borders[b]) || holds(borders[b], borders[a])) of_classes_[a * class_count_ + b] = 2 + i;
      }
}

}  // namespace plumbline::hw
