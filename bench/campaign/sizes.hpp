#pragma once
// Sizes of messages and accesses as people write them: "8", "1KiB", powers "1..1MiB*2", a stride "0..64KiB+1KiB", and
// several of these with commas.

#include <cstdint>
#include <string_view>
#include <vector>

namespace plumbline::bench {

inline constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << 31) - 1;  // counts of MPI are int
inline constexpr std::size_t kMostSizes = 10'000;                            // of one list

// In the order of the text, ends included where they are hit; powers from 0 go on with 1. Throws Error, without a place,
// when it is not such a text, a size is above kLargestSize, or there are more than kMostSizes.
std::vector<std::uint64_t> parse_sizes(std::string_view text);

// One size: a number of bytes, with or without a unit. Throws Error likewise.
std::uint64_t parse_size(std::string_view text);

// Each size, and beside it those `by` less and more, as NetPIPE does: what depends on alignment shows. 0 changes nothing.
std::vector<std::uint64_t> perturbed(const std::vector<std::uint64_t>& sizes, std::uint64_t by);

}  // namespace plumbline::bench
