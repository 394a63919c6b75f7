// The lanes of the timeline, in the order and of the choice that is asked for.

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "viewer/index/filter/select.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t picoseconds_of(TimeSum sum) {
  using Limits = std::numeric_limits<std::int64_t>;
  return sum.duration().value_or(Duration{sum.ps < 0 ? Limits::min() : Limits::max()}).ps;
}

Json component_json(const Lane& lane) {
  return {{"lane", lane.number},
          {"kind", "component"},
          {"name", lane.name},
          {"class", lane.component_class},
          {"busy_share", lane.busy_share}};
}

Json lane_json(const Lane& lane) {
  const bool is_fold = lane.kind == LaneKind::kFold;
  Json json = {{"lane", lane.number}, {"kind", is_fold ? "fold" : "rank"}, {"name", lane.name}, {"node", lane.node}};
  if (is_fold) json["members"] = lane.members;
  json["ranks"] = lane.ranks;
  json["own_ps"] = picoseconds_of(lane.own);
  json["inherited_ps"] = picoseconds_of(lane.inherited);
  json["note"] = lane.note;
  if (is_fold) json["worst_rank"] = lane.worst_rank;
  return json;
}

// Whether some operation of the rank is selected.
bool has_hit(const Runs& runs, const Selection& selection, std::uint32_t rank) {
  constexpr std::size_t kAtATime = 4096;
  if (!selection.may_contain(rank)) return false;
  std::array<std::uint8_t, kAtATime> hits{};
  const std::size_t operations = runs.observed.rank(rank).operations.size();
  for (std::size_t first = 0; first < operations; first += kAtATime) {
    const std::span<std::uint8_t> part = std::span(hits).first(std::min(kAtATime, operations - first));
    selection.test(rank, static_cast<std::uint32_t>(first), part);
    if (std::ranges::find(part, std::uint8_t{1}) != part.end()) return true;
  }
  return false;
}

// A lane stays where an operation of one of its ranks is selected.
void keep_selected(const Opened& opened, std::string_view expression, std::vector<Lane>& lanes) {
  try {
    const Selection selection(opened.runs, expression);
    if (selection.is_everything()) return;
    std::erase_if(lanes, [&](const Lane& lane) {
      const auto hit = [&](std::uint32_t rank) { return has_hit(opened.runs, selection, rank); };
      if (lane.kind != LaneKind::kFold) return !hit(lane.number);
      return std::ranges::none_of(opened.folds.folds[lane.number - kFirstFoldLane].ranks, hit);
    });
  } catch (const Error& error) {
    throw BadRequest{400, error.what()};
  }
}

// By what a rank of it lost in the mean, most first.
void sort_by(TimeSum Lane::*excess, std::vector<Lane>& lanes) {
  std::ranges::stable_sort(lanes, [excess](const Lane& a, const Lane& b) {
    return static_cast<long double>((a.*excess).ps) * b.ranks > static_cast<long double>((b.*excess).ps) * a.ranks;
  });
}

void sort_by(std::string_view order, std::vector<Lane>& lanes) {
  if (order == "own")
    sort_by(&Lane::own, lanes);
  else if (order == "inherited")
    sort_by(&Lane::inherited, lanes);
  else if (order == "node")
    std::ranges::stable_sort(lanes, {}, &Lane::node);
  else if (order != "rank")
    throw BadRequest{400, "'order' is rank, own, inherited or node"};
}

}  // namespace

Response lanes(Opened& opened, const Query& query) {
  const bool is_folded = query.number("fold", 0, 1, 0) == 1;
  std::vector<Lane> all = is_folded ? fold_lanes(opened.runs, opened.lanes, opened.folds) : opened.lanes.ranks;
  keep_selected(opened, query.text("filter"), all);
  sort_by(query.text("order", "rank"), all);
  Json json = Json::array();
  for (const Lane& lane : all) json.push_back(lane_json(lane));
  for (const Lane& lane : opened.lanes.components) json.push_back(component_json(lane));
  return json_response(Json{{"lanes", std::move(json)}});
}

}  // namespace plumbline::viewer
