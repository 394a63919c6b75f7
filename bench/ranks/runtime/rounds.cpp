#include "bench/ranks/runtime/rounds.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace plumbline::bench {
namespace {

bool have_a_rank_in_common(const Round& round, const Group& group) {
  return std::ranges::any_of(round, [&](const Group& other) {
    return std::ranges::any_of(other, [&](std::uint32_t rank) { return std::ranges::count(group, rank) > 0; });
  });
}

}  // namespace

std::vector<Round> pairs_in_rounds(std::uint32_t ranks) {
  const std::uint32_t seats = ranks + ranks % 2, turns = seats - 1;  // with an odd number a pair has an empty seat
  std::vector<Round> rounds(ranks < 2 ? 0 : turns);
  for (std::uint32_t turn = 0; turn < rounds.size(); ++turn)
    for (std::uint32_t i = 0; i < seats / 2; ++i) {
      const std::uint32_t a = i == 0 ? turns : (turn + i) % turns;
      const std::uint32_t b = (turn + turns - i) % turns;
      if (std::max(a, b) < ranks) rounds[turn].push_back({std::min(a, b), std::max(a, b)});
    }
  return rounds;
}

std::vector<Round> in_rounds(std::span<const Group> groups) {
  std::vector<Round> rounds;
  for (const Group& group : groups) {
    const auto free =
        std::ranges::find_if(rounds, [&](const Round& round) { return !have_a_rank_in_common(round, group); });
    if (free != rounds.end())
      free->push_back(group);
    else
      rounds.push_back({group});
  }
  return rounds;
}

std::vector<Round> triplets_in_rounds(std::uint32_t ranks) {
  std::vector<Group> triplets;
  for (std::uint32_t i = 0; i < ranks; ++i)
    for (std::uint32_t j = 0; j < ranks; ++j)
      for (std::uint32_t k = j + 1; k < ranks; ++k)
        if (j != i && k != i) triplets.push_back({i, j, k});
  return in_rounds(triplets);
}

Round random_matching(std::uint32_t ranks, std::uint64_t seed) {
  std::vector<std::uint32_t> order(ranks);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(seed);
  // Not std::shuffle: its order may be another one in another standard library, and ranks must agree.
  for (std::uint32_t i = ranks; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  const auto first = std::ranges::find(order, 0U);
  if (first != order.end()) std::iter_swap(order.begin(), first);
  Round round;
  for (std::uint32_t i = 0; i + 1 < ranks; i += 2) round.push_back({order[i], order[i + 1]});
  return round;
}

}  // namespace plumbline::bench
