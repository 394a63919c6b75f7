#include "viewer/index/aggregates/served.hpp"

#include <algorithm>
#include <string_view>

#include "viewer/index/pyramid/overlap.hpp"

namespace plumbline::viewer {
namespace {

bool is_storage(std::string_view kind) { return kind == "server" || kind == "cache" || kind == "device"; }

Served within(const ComponentHistory& component, TimeRange range) {
  Served served;
  const auto later = [](Time time, const BusyPiece& piece) { return time < piece.begin; };
  auto piece = std::upper_bound(component.pieces.begin(), component.pieces.end(), range.begin, later);
  if (piece != component.pieces.begin()) --piece;
  for (; piece != component.pieces.end() && piece->begin < range.end; ++piece) {
    const auto next = piece + 1;
    const Time end = next == component.pieces.end() ? range.end : next->begin;
    const Duration inside = overlap(range, piece->begin, end);
    if (piece->busy <= 0 || inside <= Duration{}) continue;
    if (served.busy == Duration{}) served.begin = std::max(range.begin, piece->begin);
    served.end = std::min(range.end, end);
    served.busy += duration_from_seconds(static_cast<double>(piece->busy) * inside.seconds());
  }
  return served;
}

}  // namespace

std::vector<Served> served_by(const Runs& runs, OperationId id) {
  std::vector<Served> all;
  const replay::Operation& operation = runs.observed.rank(id.rank).operations[id.operation];
  if (!runs.is_compared() || runs.reference != replay::ReferenceRun::kExpected || !is_io(operation.kind)) return all;
  const replay::OperationTimes& times = runs.expected->ranks[id.rank].free[id.operation];
  for (std::uint32_t component = 0; component < runs.components.size(); ++component) {
    if (!is_storage(runs.components[component].kind)) continue;
    Served served = within(runs.components[component], {times.begin, times.end});
    served.component = component;
    if (served.busy > Duration{}) all.push_back(served);
  }
  return all;
}

}  // namespace plumbline::viewer
