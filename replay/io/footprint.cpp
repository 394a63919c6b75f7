#include "replay/io/footprint.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay::io {
namespace {

// The first run that ends behind `position`.
std::vector<ByteRange>::const_iterator first_behind(const Footprint& footprint, std::uint64_t position) {
  return std::lower_bound(footprint.runs.begin(), footprint.runs.end(), position,
                          [](const ByteRange& run, std::uint64_t p) { return run.end <= p; });
}

ByteRange clipped(const ByteRange& run, std::uint64_t begin, std::uint64_t end) {
  return {std::max(run.begin, begin), std::min(run.end, end)};
}

std::vector<ByteRange> merged(std::vector<ByteRange> runs) {
  const auto before = [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; };
  if (!std::is_sorted(runs.begin(), runs.end(), before)) std::sort(runs.begin(), runs.end(), before);
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].begin <= runs[last].end)
      runs[last].end = std::max(runs[last].end, runs[i].end);
    else
      runs[++last] = runs[i];
  }
  if (!runs.empty()) runs.resize(last + 1);
  return runs;
}

}  // namespace

Footprint contiguous(std::uint64_t offset, std::uint64_t bytes) {
  Footprint footprint;
  if (bytes > 0) footprint.runs.push_back({offset, offset + bytes});
  return footprint;
}

std::uint64_t bytes_within(const Footprint& footprint, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t bytes = 0;
  for (auto run = first_behind(footprint, begin); run != footprint.runs.end() && run->begin < end; ++run) {
    const ByteRange part = clipped(*run, begin, end);
    bytes += part.end - part.begin;
  }
  return bytes;
}

std::vector<ByteRange> united(std::span<const Footprint* const> footprints, std::uint64_t begin, std::uint64_t end) {
  std::vector<ByteRange> all;
  for (const Footprint* footprint : footprints)
    for (auto run = first_behind(*footprint, begin); run != footprint->runs.end() && run->begin < end; ++run)
      all.push_back(clipped(*run, begin, end));
  return merged(std::move(all));
}

FileViews::FileViews(const Program& program) {
  for (std::uint32_t i = 0; i < program.layouts(); ++i)
    views_.emplace_back(archive::parse_layout(program.layout(i)).value_or(archive::Layout{}));
}

Footprint FileViews::footprint(const RankProgram& rank, const Operation& op, std::uint64_t unknown_at) const {
  if (op.extra == kNone) return contiguous(unknown_at, op.bytes);
  const IoAccess& access = rank.accesses[op.extra];
  if (access.layout == kNone || !views_[access.layout].known())
    return contiguous(access.offset == kUnknownOffset ? unknown_at : access.offset, op.bytes);
  Footprint footprint;
  views_[access.layout].visit(access.view_position, op.bytes, [&](std::int64_t offset, std::uint64_t length) {
    const std::uint64_t begin = static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
    footprint.runs.push_back({begin, begin + length});
    return true;
  });
  footprint.runs = merged(std::move(footprint.runs));
  return footprint;
}

}  // namespace plumbline::replay::io
