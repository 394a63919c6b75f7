#pragma once
// The memory that an operation's data are in: the same in each repetition, or the next piece of more than the caches
// hold.

#include <cstddef>
#include <vector>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

inline constexpr FamilyParameter kFreshMib = {
    "fresh_mib", "each repetition takes the next piece of so many MiB, so that it is in no cache; 0: always the same",
    "0"};

class MemoryArea {
 public:
  MemoryArea() = default;
  // Pieces of `bytes`, which lie in `mib` MiB one behind the other. Written to once: no page is touched for the first
  // time while something is timed. Throws Error when there is not so much memory.
  MemoryArea(std::size_t bytes, std::uint64_t mib);

  char* next();
  char* first() { return memory_.data(); }

 private:
  std::vector<char> memory_;
  std::size_t stride_ = 0, at_ = 0;
};

}  // namespace plumbline::bench
