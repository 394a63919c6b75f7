#pragma once
// From summaries of columns to strips as they are sent, and how the stored ones are made.

#include <cstdint>
#include <span>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Of 512 columns of 2^shift ps each, of so many ranks together, for which busy is the mean.
void write_strip(std::span<const RangeSummary> columns, unsigned shift, Strip& strip, std::uint32_t ranks = 1);

// As one byte each (viewer-api.md).
std::int8_t log_of(Duration time);
std::uint8_t log_of(std::uint64_t count);

// log2 of the length of a column of that level.
unsigned column_shift(const Pyramid& pyramid, unsigned level);

// Of a strip; level <= most_level, x < 2^level.
TimeRange range_of(const Pyramid& pyramid, const PyramidSource& source, unsigned level, std::uint32_t x);

// Strips of `stored_levels` levels.
constexpr std::uint64_t strips_of(unsigned stored_levels) { return (std::uint64_t{1} << stored_levels) - 1; }

// Fills the strips of a rank, whose tree is there.
void fill_strips(const Pyramid& pyramid, const PyramidSource& source, const RankTree& tree, const RankColumns& facts,
                 std::span<Strip> strips);

}  // namespace plumbline::viewer
