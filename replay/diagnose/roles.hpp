#pragma once
// Which ranks of a row do as much as each other in its calls: an aggregator of collective I/O is no peer of the others.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "replay/compare/result/comparison.hpp"

namespace plumbline::replay {

enum class Role : std::uint8_t { kLess, kUsual, kMore };
inline constexpr std::size_t kRoles = 3;

// Of each part of a row, by twice and half of the mean that is expected of the rank in the middle.
std::vector<Role> roles_in(const Row& row);

// Mean excess of an operation of each part, in ps, by role, sorted.
std::array<std::vector<double>, kRoles> mean_excesses(const Row& row, const std::vector<Role>& roles);

// Of what the stack and the hardware lost.
double mean_excess(const RankPart& part);

}  // namespace plumbline::replay
