#include "bench/ranks/network/rounds.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace plumbline::bench::network {
namespace {

Pair ordered(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

bool meets(const Round& round, const Pair& pair) {
  return std::any_of(round.begin(), round.end(), [&](const Pair& other) {
    return other.a == pair.a || other.a == pair.b || other.b == pair.a || other.b == pair.b;
  });
}

}  // namespace

// All but the last stand on a circle; it is turned by one from round to round, and those at equal heights are pairs.
std::vector<Round> rounds_of_all(std::uint32_t count) {
  std::vector<Round> rounds;
  if (count < 2) return rounds;
  const std::uint32_t last = count % 2 == 0 ? count - 1 : count;  // nobody, where the number is odd
  for (std::uint32_t turn = 0; turn < last; ++turn) {
    Round round;
    if (last < count) round.push_back(ordered(turn, last));
    for (std::uint32_t height = 1; height <= (last - 1) / 2; ++height)
      round.push_back(ordered((turn + height) % last, (turn + last - height) % last));
    rounds.push_back(std::move(round));
  }
  return rounds;
}

std::vector<Round> some_rounds(std::uint32_t count, std::uint32_t partners, std::uint64_t seed) {
  std::vector<Round> rounds = rounds_of_all(count);
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
  std::vector<Round> rounds;
  for (const Pair& pair : pairs) {
    const auto room = std::find_if(rounds.begin(), rounds.end(), [&](const Round& each) { return !meets(each, pair); });
    if (room == rounds.end())
      rounds.push_back({pair});
    else
      room->push_back(pair);
  }
  return rounds;
}

}  // namespace plumbline::bench::network
