#include "brute_force.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/parts.hpp"

#include <algorithm>
#include <cmath>

#include "base/time_sum.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {

BruteForce::BruteForce(const Runs& runs, const PyramidSource& source, std::uint32_t rank) : rank_(rank) {
  const replay::RankProgram& program = runs.observed.rank(rank);
  for (std::uint32_t i = 0; i < program.operations.size(); ++i) {
    const replay::OperationTimes& times = source.ranks[rank].times[i];
    const Parts parts = parts_of(runs, rank, i);
    const bool is_beyond = parts.own > parts.band || -parts.own > parts.band;
    all_.push_back({times.begin.ps, std::max(times.begin.ps, times.end.ps), is_beyond ? parts.own : Duration{},
                    parts.inherited, kind_of(runs.observed, program.operations[i]), marks_of(runs, {rank, i})});
  }
}

bool BruteForce::overlaps(const One& one, TimeRange range) const {
  if (one.begin == one.end) return one.begin >= range.begin.ps && one.begin < range.end.ps;
  return one.begin < range.end.ps && one.end > range.begin.ps;
}

std::vector<std::uint32_t> BruteForce::operations(TimeRange range) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < all_.size(); ++i)
    if (overlaps(all_[i], range)) found.push_back(i);
  return found;
}

RangeSummary BruteForce::summary(TimeRange range) const {
  RangeSummary all;
  const std::vector<std::uint32_t> found = operations(range);
  const auto worst = [&](Duration One::*excess, Duration& value, std::uint32_t& of) {
    for (const bool positive : {true, false}) {
      for (const std::uint32_t i : found) {
        const Duration mine = all_[i].*excess;
        if (positive ? mine <= std::max(value, Duration{}) : mine >= value) continue;
        value = mine;
        of = i;
      }
      if (of != replay::kNone) return;
    }
  };
  worst(&One::own, all.own, all.own_operation);
  worst(&One::inherited, all.inherited, all.inherited_operation);
  for (const std::uint32_t i : found) {
    const One& one = all_[i];
    std::int64_t& time = all.time_ps[static_cast<std::size_t>(one.kind)];
    const TimeSum sum =
        TimeSum(Duration{time}) +
        Duration{std::max<std::int64_t>(0, std::min(one.end, range.end.ps) - std::max(one.begin, range.begin.ps))};
    time = sum.duration().value_or(Duration{INT64_MAX}).ps;
    ++(one.begin >= range.begin.ps ? all.begun : all.carried);
    all.kinds |= static_cast<std::uint8_t>(1 << static_cast<int>(one.kind));
    all.marks |= one.marks;
  }
  return all;
}

std::vector<OperationId> BruteForce::worst(TimeRange range, std::size_t most) const {
  std::vector<std::uint32_t> found = operations(range);
  std::ranges::stable_sort(found, [&](std::uint32_t a, std::uint32_t b) { return is_worse(all_[a].own, all_[b].own); });
  std::vector<OperationId> worst;
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) worst.push_back({rank_, found[i]});
  return worst;
}

Strip BruteForce::strip(const Pyramid& pyramid, const PyramidSource& source, unsigned level, std::uint32_t x) const {
  Strip strip;
  const std::uint64_t length = pyramid.base_ps >> (level + kColumnsLog2);
  for (std::uint64_t i = 0; i < kColumns; ++i) {
    const Time begin{source.zero.ps + static_cast<std::int64_t>((x * std::uint64_t{kColumns} + i) * length)};
    const RangeSummary column = summary({begin, begin + Duration{static_cast<std::int64_t>(length)}});
    std::size_t longest = 0xff;
    for (std::size_t kind = 0; kind < kCallKinds; ++kind)
      if ((column.kinds >> kind & 1) != 0 && (longest == 0xff || column.time_ps[kind] > column.time_ps[longest]))
        longest = kind;
    long double busy = 0;
    for (const std::int64_t time : column.time_ps) busy += static_cast<long double>(time);
    busy = std::min(busy, static_cast<long double>(length));
    strip.planes.kind[i] = static_cast<std::uint8_t>(longest);
    strip.planes.busy[i] =
        static_cast<std::uint8_t>(std::ceil(static_cast<long double>(255) * busy / static_cast<long double>(length)));
    strip.planes.count[i] = log_of(std::uint64_t{column.begun} + column.carried);
    strip.planes.own[i] = log_of(column.own);
    strip.planes.inherited[i] = log_of(column.inherited);
    strip.planes.marks[i] = column.marks;
  }
  const TimeRange whole = range_of(pyramid, source, level, x);
  strip.operations = static_cast<std::uint32_t>(operations(whole).size());
  strip.worst_operation = summary(whole).own_operation;
  return strip;
}

}  // namespace plumbline::viewer
