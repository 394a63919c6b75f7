#pragma once
// Which pairs are measured at the same time: in a round, nobody is in more than one pair. Made of
// bench/ranks/runtime/rounds.hpp.

#include <cstdint>
#include <span>
#include <vector>

#include "bench/ranks/runtime/rounds.hpp"

namespace plumbline::bench::network {

struct Pair {
  std::uint32_t a = 0, b = 0;

  bool operator==(const Pair&) const = default;
};
using Round = std::vector<Pair>;

// Rounds in which all have a partner (but one, where `count` is odd), so many of those that hold every pair once, drawn
// by the seed: each is in `partners` pairs, or in one less where `count` is odd. All of them if there are no more.
std::vector<Round> some_rounds(std::uint32_t count, std::uint32_t partners, std::uint64_t seed);

// How many partners tell enough of each: 4 log2(count), so that the time grows with the logarithm; all of up to 20.
std::uint32_t partners_by_default(std::uint32_t count);

// Given pairs, each in the first round that has room for it.
std::vector<Round> rounds_of(std::span<const Pair> pairs);

}  // namespace plumbline::bench::network
