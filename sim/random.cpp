#include "sim/random.hpp"

#include <bit>

#include "base/check.hpp"

namespace plumbline::sim {
namespace {

// FNV-1a, 64 bits: offset basis and prime of draft-eastlake-fnv.
std::uint64_t hash(std::string_view name) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return value;
}

// SplitMix64 (Steele, Lea, Flood 2014), the seeding that the authors of xoshiro recommend.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) : state_{} {
  std::uint64_t mixed = split_mix(seed) ^ hash(name);
  for (std::uint64_t& word : state_) word = split_mix(mixed);
}

RandomStream::result_type RandomStream::operator()() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

std::uint64_t RandomStream::below(std::uint64_t bound) {
  PLUMBLINE_CHECK(bound > 0, "a random number below nothing");
  const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound values at the low end would be too likely
  std::uint64_t value = (*this)();
  while (value < unfair) value = (*this)();
  return value % bound;
}

}  // namespace plumbline::sim
