#include "viewer/index/matches/series.hpp"

#include <algorithm>

namespace plumbline::viewer {

std::optional<Instance> instance_of(const replay::Program& program, const Matches& matches, OperationId id) {
  const std::optional<SeriesKey> key = series_key(program, id);
  if (!key) return std::nullopt;
  const auto series = std::ranges::lower_bound(matches.series, *key, {}, key_of);
  if (series == matches.series.end() || key_of(*series) != *key) return std::nullopt;
  const auto rank = std::ranges::lower_bound(series->ranks, id.rank);
  if (rank == series->ranks.end() || *rank != id.rank) return std::nullopt;
  const auto calls = series->calls_of(static_cast<std::size_t>(rank - series->ranks.begin()));
  const auto call = std::ranges::lower_bound(calls, id.operation);
  if (call == calls.end() || *call != id.operation) return std::nullopt;
  return Instance{static_cast<std::uint32_t>(series - matches.series.begin()),
                  static_cast<std::uint32_t>(call - calls.begin())};
}

}  // namespace plumbline::viewer
