#include "viewer/index/lanes/lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer {
namespace {

std::string node_of(const replay::Program& program, std::uint32_t node) {
  return node < program.nodes() ? std::string(program.node(node)) : std::string();
}

Lane lane_of_rank(const Runs& runs, const CallFacts& calls, std::uint32_t rank) {
  const replay::RankProgram& program = runs.observed.rank(rank);
  Lane lane;
  lane.number = rank;
  lane.name = fmt::format("{}", rank);
  lane.node = node_of(runs.observed, program.node);
  lane.ranks = 1;
  lane.worst_rank = rank;
  const RankColumns columns(runs, calls, rank);
  for (std::uint32_t operation = 0; operation < program.operations.size(); ++operation) {
    if (!columns.is_judged(operation)) continue;
    const Duration own = columns.own(operation);
    lane.own += own;
    lane.inherited += columns.inherited(operation, own);
  }
  return lane;
}

Lane lane_of_component(const Runs& runs, std::uint32_t index, const Span& span) {
  const ComponentHistory& component = runs.components[index];
  Lane lane;
  lane.number = kFirstComponentLane + index;
  lane.kind = LaneKind::kComponent;
  lane.name = component.name;
  lane.component_class = component.kind;
  lane.busy_share = busy_share(component, span.begin, span.length);
  return lane;
}

Lane lane_of_fold(const Runs& runs, const Lanes& lanes, const Fold& fold, std::uint32_t number) {
  Lane lane;
  lane.number = number;
  lane.kind = LaneKind::kFold;
  lane.name = fmt::format("{} ×{}", rank_list(fold.ranks, "–"), fold.ranks.size());
  lane.node = node_of(runs.observed, fold.node);
  lane.members = rank_list(fold.ranks);
  lane.ranks = static_cast<std::uint32_t>(fold.ranks.size());
  lane.note = fold.note;
  lane.worst_rank = fold.worst_rank;
  for (const std::uint32_t rank : fold.ranks) {
    lane.own += lanes.ranks[rank].own;
    lane.inherited += lanes.ranks[rank].inherited;
  }
  return lane;
}

}  // namespace

Lanes make_lanes(const Runs& runs) {
  Lanes lanes;
  const CallFacts calls = facts_of_calls(runs.observed);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    lanes.ranks.push_back(lane_of_rank(runs, calls, rank));
  const Span span = span_of(runs.observed);
  for (std::uint32_t index = 0; index < runs.components.size(); ++index)
    lanes.components.push_back(lane_of_component(runs, index, span));
  std::ranges::stable_sort(lanes.components, std::greater<>(), &Lane::busy_share);
  return lanes;
}

std::vector<Lane> fold_lanes(const Runs& runs, const Lanes& lanes, const Folds& folds) {
  std::vector<Lane> all;
  for (std::uint32_t index = 0; index < folds.folds.size(); ++index) {
    const Fold& fold = folds.folds[index];
    if (fold.ranks.size() == 1) {
      all.push_back(lanes.ranks[fold.ranks.front()]);
      all.back().note = fold.note;
    } else {
      all.push_back(lane_of_fold(runs, lanes, fold, kFirstFoldLane + index));
    }
  }
  return all;
}

std::string rank_list(const std::vector<std::uint32_t>& ranks, const char* dash) {
  std::string text;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[first]);
    if (last > first) text += fmt::format("{}{}", dash, ranks[last]);
    first = last + 1;
  }
  return text;
}

double busy_share(const ComponentHistory& component, Time begin, Duration length) {
  if (length <= Duration{}) return 0;
  const Time end = begin + length;
  const auto later = [](Time time, const BusyPiece& piece) { return time < piece.begin; };
  auto piece = std::upper_bound(component.pieces.begin(), component.pieces.end(), begin, later);
  if (piece != component.pieces.begin()) --piece;
  double busy_ps = 0;
  for (; piece != component.pieces.end() && piece->begin < end; ++piece) {
    const auto next = piece + 1;
    const Time to = next == component.pieces.end() ? end : std::min(end, next->begin);
    const Time from = std::max(begin, piece->begin);
    if (to > from) busy_ps += static_cast<double>(piece->busy) * static_cast<double>((to - from).ps);
  }
  return std::clamp(busy_ps / static_cast<double>(length.ps), 0.0, 1.0);
}

}  // namespace plumbline::viewer
