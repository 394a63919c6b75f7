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

void put(ByteWriter& out, const Tally& tally) {
  out.put(static_cast<const Counts&>(tally));
  out.put_texts(tally.unfinished);
  out.put_text(tally.first_refused);
}

Tally get_tally(ByteReader& in) {
  Tally tally;
  static_cast<Counts&>(tally) = in.get<Counts>();
  tally.unfinished = in.get_texts();
  tally.first_refused = in.get_text();
  return tally;
}

}  // namespace plumbline::replay
