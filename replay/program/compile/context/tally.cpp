#include "replay/program/compile/context/tally.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

namespace plumbline::replay {

void add(Tally& tally, const Tally& later) {
  if (tally.refused == 0) tally.first_refused = later.first_refused;
  for (const std::string& told : later.unfinished)
    if (tally.unfinished.size() < kMostInWords) tally.unfinished.push_back(told);
  using Numbers = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
  auto sums = std::bit_cast<Numbers>(static_cast<const Counts&>(tally));
  std::ranges::transform(sums, std::bit_cast<Numbers>(static_cast<const Counts&>(later)), sums.begin(), std::plus());
  static_cast<Counts&>(tally) = std::bit_cast<Counts>(sums);
}

}  // namespace plumbline::replay
