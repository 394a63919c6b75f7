#pragma once
// Ranks by the nodes they are on.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/ranks/network/rounds.hpp"
#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench::network {

std::vector<std::vector<std::uint32_t>> ranks_of_nodes(const Places& places);
std::vector<std::uint32_t> first_ranks(const Places& places);  // of each node
std::vector<std::uint32_t> all_ranks(const Places& places);

// "0-1,2-3". Throws Error for what are no two ranks.
std::vector<Pair> parse_pairs(const std::string& text, const Places& places);

}  // namespace plumbline::bench::network
