#pragma once
// Random numbers that are the same on every platform and in every run with the same seed. Each use has a stream of its
// own, named, so that a new use does not shift the numbers of the others.

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace plumbline::sim {

// xoshiro256** 1.0 (Blackman and Vigna, public domain), its state filled by SplitMix64 from the seed and the FNV-1a
// hash of the name. Meets the requirements of a UniformRandomBitGenerator, but the distributions of <random> differ
// between standard libraries: use the members here.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, std::string_view name);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform();

  // Uniform in 0 .. bound - 1, without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace plumbline::sim
