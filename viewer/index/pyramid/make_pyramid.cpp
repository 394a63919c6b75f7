#include "viewer/index/pyramid/make_pyramid.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "base/error.hpp"
#include "viewer/index/pyramid/memory.hpp"

namespace plumbline::viewer {
namespace {

// 8-byte words, because the records in them want that alignment.
using Memory = Column<std::uint64_t>;

void make_in_memory(const Runs& runs, const Pyramid& pyramid, std::uint32_t jobs, PyramidSource& source,
                    const Scratch& scratch) {
  const auto memory =
      std::make_shared<Memory>(bytes_of(pyramid, source) / 8, 0, ScratchAllocator<std::uint64_t>(scratch));
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(*memory));
  lay_out(pyramid, source, bytes);
  fill(runs, pyramid, source, jobs, bytes);
  source.memory = memory;
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
  for (PyramidSource& source : pyramid.sources) make_in_memory(runs, pyramid, options.jobs, source, scratch);
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
  make_in_memory(runs, pyramid, 1, source, scratch);
  remove_whatif(pyramid, n);
  pyramid.sources.push_back(std::move(source));
}

void remove_whatif(Pyramid& pyramid, unsigned n) {
  std::erase_if(pyramid.sources, [n](const PyramidSource& source) { return source.number == 1 + n; });
}

}  // namespace plumbline::viewer
