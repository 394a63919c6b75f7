#include "viewer/index/pyramid/ranges.hpp"

#include <algorithm>
#include <array>

#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {

const PyramidSource* find_source(const Pyramid& pyramid, unsigned number) {
  const auto found = std::ranges::find(pyramid.sources, number, &PyramidSource::number);
  return found == pyramid.sources.end() ? nullptr : &*found;
}

Strip strip_of(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               unsigned level, std::uint32_t x) {
  const RankTree& tree = source.ranks[rank];
  if (level < pyramid.stored_levels) return tree.strips[strips_of(level) + x];
  std::array<RangeSummary, kColumns> columns{};
  const unsigned shift = column_shift(pyramid, level);
  add_range(tree, RankColumns(runs, pyramid.calls, rank), range_of(pyramid, source, level, x), shift, columns);
  Strip strip;
  write_strip(columns, shift, strip);
  return strip;
}

RangeSummary summary_of(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
                        TimeRange range) {
  std::array<RangeSummary, 1> column{};
  add_range(source.ranks[rank], RankColumns(runs, pyramid.calls, rank), range, 63, column);
  return column[0];
}

}  // namespace plumbline::viewer
