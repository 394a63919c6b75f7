#include "viewer/index/lanes/lane_strips.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::uint8_t kNothing = 0xff;

// Counts as bytes are logarithms (log_of).
std::array<double, 256> make_counts() {
  std::array<double, 256> counts{};
  for (std::size_t byte = 0; byte < counts.size(); ++byte) counts[byte] = std::exp2(static_cast<double>(byte) / 8) - 1;
  return counts;
}

// Of the members' columns so far.
struct Sums {
  std::array<std::array<std::uint32_t, kColumns>, kCallKinds> busy{};  // by kind and column
  std::array<std::uint8_t, kColumns> kinds{};
  std::array<double, kColumns> count{};
};

std::int8_t worse_of(std::int8_t a, std::int8_t b) { return is_worse(Duration{b}, Duration{a}) ? b : a; }

void add(const Planes& member, Sums& sums, Planes& all) {
  static const std::array<double, 256> kCounts = make_counts();
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (member.kind[i] == kNothing) continue;
    sums.busy[member.kind[i]][i] += member.busy[i];
    sums.kinds[i] |= static_cast<std::uint8_t>(1U << member.kind[i]);
    sums.count[i] += kCounts[member.count[i]];
    all.own[i] = worse_of(all.own[i], member.own[i]);
    all.inherited[i] = worse_of(all.inherited[i], member.inherited[i]);
    all.marks[i] |= member.marks[i];
  }
}

std::uint8_t longest_kind(const Sums& sums, std::size_t column) {
  std::uint8_t longest = kNothing;
  for (std::uint8_t kind = 0; kind < kCallKinds; ++kind) {
    if ((sums.kinds[column] >> kind & 1) == 0) continue;
    if (longest == kNothing || sums.busy[kind][column] > sums.busy[longest][column]) longest = kind;
  }
  return longest;
}

std::uint32_t busy_of(const Sums& sums, std::size_t column) {
  std::uint32_t busy = 0;
  for (std::size_t kind = 0; kind < kCallKinds; ++kind) busy += sums.busy[kind][column];
  return busy;
}

}  // namespace

namespace {

Strip joined_from_stored(const PyramidSource& source, std::span<const std::uint32_t> ranks, std::size_t place) {
  Strip all{};
  const auto sums = std::make_unique<Sums>();
  std::uint64_t operations = 0;
  for (const std::uint32_t rank : ranks) {
    const Strip& member = source.ranks[rank].strips[place];
    operations += member.operations;
    if (member.operations > 0) add(member.planes, *sums, all.planes);
  }
  const auto members = static_cast<std::uint32_t>(ranks.size());
  for (std::size_t i = 0; i < kColumns; ++i) {
    all.planes.kind[i] = longest_kind(*sums, i);
    all.planes.busy[i] = static_cast<std::uint8_t>((busy_of(*sums, i) + members - 1) / members);
    all.planes.count[i] = log_of(static_cast<std::uint64_t>(std::llround(sums->count[i])));
  }
  all.operations = static_cast<std::uint32_t>(std::min<std::uint64_t>(operations, UINT32_MAX));
  return all;
}

// To find where a range begins in each of many ranks takes longer than to read what is there, so strips that lie side
// by side are found together.
constexpr std::size_t kStripsOfAWalk = 8;

void walk(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::span<const std::uint32_t> ranks,
          unsigned level, std::uint32_t first, std::span<Strip> strips) {
  std::vector<RangeSummary> columns(strips.size() * kColumns);
  const unsigned shift = column_shift(pyramid, level);
  const auto last = static_cast<std::uint32_t>(first + strips.size() - 1);
  const TimeRange range{range_of(pyramid, source, level, first).begin, range_of(pyramid, source, level, last).end};
  for (const std::uint32_t rank : ranks)
    add_range(source.ranks[rank], RankColumns(runs, pyramid.calls, rank), range, shift, columns);
  for (std::size_t i = 0; i < strips.size(); ++i)
    write_strip(std::span(columns).subspan(i * kColumns, kColumns), shift, strips[i],
                static_cast<std::uint32_t>(ranks.size()));
}

}  // namespace

std::vector<Strip> strips_of_ranks(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source,
                                   std::span<const std::uint32_t> ranks, unsigned level, std::uint32_t first,
                                   std::uint32_t last) {
  std::vector<Strip> strips(std::size_t{last} - first + 1);
  if (level < pyramid.stored_levels) {
    for (std::uint32_t i = 0; i < strips.size(); ++i)
      strips[i] = joined_from_stored(source, ranks, strips_of(level) + first + i);
  } else {
    for (std::size_t from = 0; from < strips.size(); from += kStripsOfAWalk)
      walk(runs, pyramid, source, ranks, level, first + static_cast<std::uint32_t>(from),
           std::span(strips).subspan(from, std::min(kStripsOfAWalk, strips.size() - from)));
  }
  for (Strip& strip : strips) strip.worst_operation = replay::kNone;
  return strips;
}

Strip strip_of_component(const Pyramid& pyramid, const ComponentHistory& component, unsigned level, std::uint32_t x) {
  Strip strip{};
  strip.worst_operation = replay::kNone;
  strip.planes.kind.fill(kNothing);
  const TimeRange range = range_of(pyramid, pyramid.sources[0], level, x);
  const std::int64_t length = std::max<std::int64_t>((range.end - range.begin).ps / kColumns, 1);
  for (std::uint32_t i = 0; i < kColumns; ++i) {
    const double busy = busy_share(component, range.begin + Duration{i * length}, Duration{length});
    strip.planes.busy[i] = static_cast<std::uint8_t>(std::ceil(255 * busy));
  }
  return strip;
}

}  // namespace plumbline::viewer
