#include "viewer/index/pyramid/pyramid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "base/error.hpp"
#include "viewer/index/pyramid/memory.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

// 8-byte words, because the records in them want that alignment.
using Memory = Column<std::uint64_t>;

void make_in_memory(const Runs& runs, const Pyramid& pyramid, PyramidSource& source, const Scratch& scratch) {
  const auto memory =
      std::make_shared<Memory>(bytes_of(pyramid, source) / 8, 0, ScratchAllocator<std::uint64_t>(scratch));
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(*memory));
  lay_out(pyramid, source, bytes);
  fill(runs, pyramid, source, bytes);
  source.memory = memory;
}

Time shifted(Time zero, std::uint64_t ps) {
  const std::uint64_t most =
      static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) - static_cast<std::uint64_t>(zero.ps);
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(zero.ps) + std::min(ps, most))};
}

void require_same_operations(const Runs& runs, const std::vector<Column<replay::OperationTimes>>& times) {
  bool same = times.size() == runs.observed.ranks();
  for (std::uint32_t rank = 0; same && rank < times.size(); ++rank)
    same = times[rank].size() == runs.observed.rank(rank).times.size();
  if (!same)
    throw Error("what-if run", "has other operations than the observed run", "replay the archive that is shown");
}

}  // namespace

Pyramid make_pyramid(const Runs& runs, const Scratch& scratch, const PyramidOptions& options) {
  Pyramid pyramid = plan_pyramid(runs, options);
  for (PyramidSource& source : pyramid.sources) make_in_memory(runs, pyramid, source, scratch);
  return pyramid;
}

void add_whatif(Pyramid& pyramid, const Runs& runs, unsigned n, std::vector<Column<replay::OperationTimes>> times,
                const Scratch& scratch) {
  PLUMBLINE_CHECK(n >= 1 && n <= 254, "a what-if run has a number from 1 to 254");
  require_same_operations(runs, times);
  PyramidSource source;
  source.number = static_cast<std::uint8_t>(1 + n);
  source.zero = span_of(runs.observed).begin;
  source.times = std::move(times);
  for (std::uint32_t rank = 0; rank < source.times.size(); ++rank) {
    const Column<replay::OperationTimes>& column = source.times[rank];
    source.ranks.emplace_back().times = {column.data(), column.size()};
  }
  make_in_memory(runs, pyramid, source, scratch);
  remove_whatif(pyramid, n);
  pyramid.sources.push_back(std::move(source));
}

void remove_whatif(Pyramid& pyramid, unsigned n) {
  std::erase_if(pyramid.sources, [n](const PyramidSource& source) { return source.number == 1 + n; });
}

const PyramidSource* find_source(const Pyramid& pyramid, unsigned number) {
  const auto found = std::ranges::find(pyramid.sources, number, &PyramidSource::number);
  return found == pyramid.sources.end() ? nullptr : &*found;
}

TimeRange range_of(const Pyramid& pyramid, const PyramidSource& source, unsigned level, std::uint32_t x) {
  const unsigned shift = column_shift(pyramid, level) + kColumnsLog2;
  return {shifted(source.zero, std::uint64_t{x} << shift), shifted(source.zero, (std::uint64_t{x} + 1) << shift)};
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
