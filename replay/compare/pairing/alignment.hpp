#pragma once
// Which elements of two sequences stand for each other, where some are only in one of them.
//
// Both ends are matched first; in what is left, where it is longer than a window, elements that both have exactly once,
// as many as stand in the same order (patience diff, B. Cohen), and between two of them the same again; in the end the
// shortest edit script (E. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1, 1986) in windows.
// So time is linear in the lengths, and memory is that of the sequences, for the price that a script need not be the
// shortest one: a piece of more than a window that is only in one sequence is bridged where something behind it is
// unique, or where it is the only one.

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::replay {

struct AlignedPair {
  std::uint32_t a = 0, b = 0;

  friend bool operator==(const AlignedPair&, const AlignedPair&) = default;
};

// Pairs of equal elements, ascending in both.
std::vector<AlignedPair> align(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace plumbline::replay
