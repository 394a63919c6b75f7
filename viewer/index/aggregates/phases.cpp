#include "viewer/index/aggregates/phases.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace plumbline::viewer {
namespace {

using replay::Collective;
using replay::OperationTimes;
using replay::OpKind;

bool synchronises(const replay::Operation& op) {
  if (op.kind == OpKind::kCommCreate) return true;
  if (op.kind != OpKind::kCollective) return false;
  switch (static_cast<Collective>(op.tag)) {
    case Collective::kBarrier:
    case Collective::kAllgather:
    case Collective::kAlltoall:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
      return true;
    default:
      return false;
  }
}

// What goes back in either time is left out: a map that folds over shows nothing.
void add(TimeMap& map, Time observed, Time free) {
  if (!map.observed.empty()) {
    if (observed < map.observed.back() || free < map.free.back()) return;
    if (observed == map.observed.back() && free == map.free.back()) return;
  }
  map.observed.push_back(observed);
  map.free.push_back(free);
}

// The first, the last, and of the others each n-th.
TimeMap thinned(TimeMap map, std::size_t most) {
  const std::size_t size = map.observed.size();
  if (size <= most) return map;
  TimeMap few;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t from = i * (size - 1) / (most - 1);
    few.observed.push_back(map.observed[from]);
    few.free.push_back(map.free[from]);
  }
  return few;
}

// From the first begin to the last end of some operations.
struct Extent {
  Time first_begin{std::numeric_limits<std::int64_t>::max()}, last_begin{std::numeric_limits<std::int64_t>::min()},
      last_end{std::numeric_limits<std::int64_t>::min()};

  void add(const OperationTimes& times) {
    first_begin = std::min(first_begin, times.begin);
    last_begin = std::max(last_begin, times.begin);
    last_end = std::max(last_end, times.end);
  }
};

struct Extents {
  Extent observed, free;

  void add(const Runs& runs, OperationId id) {
    observed.add(runs.observed.rank(id.rank).times[id.operation]);
    free.add(runs.expected->ranks[id.rank].free[id.operation]);
  }
};

Extents of_run(const Runs& runs) {
  Extents extents;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const std::size_t size = runs.observed.rank(rank).operations.size();
    if (size == 0) continue;
    extents.add(runs, {rank, 0});
    extents.add(runs, {rank, static_cast<std::uint32_t>(size - 1)});
  }
  return extents;
}

// Of the series' instances that synchronise all ranks, in order.
std::vector<Extents> synchronisations(const Runs& runs, const Series& series) {
  std::size_t instances = std::numeric_limits<std::size_t>::max();
  for (std::size_t place = 0; place < series.ranks.size(); ++place)
    instances = std::min(instances, series.calls_of(place).size());
  const auto first = series.calls_of(0);
  const auto operations = runs.observed.rank(series.ranks[0]).operations;
  std::vector<Extents> all(instances);
  for (std::size_t place = 0; place < series.ranks.size(); ++place) {
    const auto calls = series.calls_of(place);
    for (std::size_t n = 0; n < instances; ++n) all[n].add(runs, {series.ranks[place], calls[n]});
  }
  std::vector<Extents> kept;
  for (std::size_t n = 0; n < instances; ++n)
    if (synchronises(operations[first[n]])) kept.push_back(all[n]);
  return kept;
}

}  // namespace

TimeMap common_map(const Runs& runs, const Matches& matches, std::size_t most) {
  TimeMap map;
  const Extents run = of_run(runs);
  if (run.observed.last_end < run.observed.first_begin) return map;
  std::vector<Extents> points;
  for (const Series& series : matches.series) {
    if (series.of != SeriesOf::kComm || series.ranks.size() != runs.observed.ranks()) continue;
    if (!runs.observed.comm(series.comm).remote_members.empty()) continue;
    std::ranges::copy(synchronisations(runs, series), std::back_inserter(points));
  }
  std::ranges::stable_sort(points, {}, [](const Extents& point) { return point.observed.last_begin; });
  add(map, run.observed.first_begin, run.free.first_begin);
  for (const Extents& point : points) {
    add(map, point.observed.last_begin, point.free.last_begin);
    add(map, point.observed.last_end, point.free.last_end);
  }
  add(map, run.observed.last_end, run.free.last_end);
  return thinned(std::move(map), most);
}

TimeMap map_of_rank(const Runs& runs, std::uint32_t rank, std::size_t most) {
  const auto observed = runs.observed.rank(rank).times;
  const auto& free = runs.expected->ranks[rank].free;
  TimeMap map;
  const auto point = [&](std::size_t i) {
    add(map, observed[i].begin, free[i].begin);
    add(map, observed[i].end, free[i].end);
  };
  const std::size_t step = std::max<std::size_t>(1, 2 * observed.size() / most);
  for (std::size_t i = 0; i < observed.size(); i += step) point(i);
  if (!observed.empty()) point(observed.size() - 1);
  return thinned(std::move(map), most);
}

}  // namespace plumbline::viewer
