#include "bench/ranks/network/rounds.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace plumbline::bench::network {
namespace {

std::vector<Round> as_pairs(const std::vector<bench::Round>& rounds) {
  std::vector<Round> result;
  for (const bench::Round& round : rounds) {
    Round& pairs = result.emplace_back();
    for (const Group& group : round) pairs.push_back({group[0], group[1]});
  }
  return result;
}

}  // namespace

std::vector<Round> some_rounds(std::uint32_t count, std::uint32_t partners, std::uint64_t seed) {
  std::vector<Round> rounds = as_pairs(pairs_in_rounds(count));
  if (partners >= rounds.size()) return rounds;
  std::mt19937_64 random(seed);
  std::shuffle(rounds.begin(), rounds.end(), random);
  rounds.resize(partners);
  return rounds;
}

std::uint32_t partners_by_default(std::uint32_t count) {
  if (count < 2) return 0;
  return std::min(count - 1 + count % 2, 4 * static_cast<std::uint32_t>(std::bit_width(count - 1)));
}

std::vector<Round> rounds_of(std::span<const Pair> pairs) {
  std::vector<Group> groups;
  for (const Pair& pair : pairs) groups.push_back({pair.a, pair.b});
  return as_pairs(in_rounds(groups));
}

}  // namespace plumbline::bench::network
