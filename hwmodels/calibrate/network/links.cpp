#include "hwmodels/calibrate/network/links.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

using Runs = std::vector<double>;

// All runs of the half of the partners that show the least.
Member better_half(std::vector<Runs> partners) {
  std::stable_sort(partners.begin(), partners.end(),
                   [](const Runs& a, const Runs& b) { return median(a) < median(b); });
  partners.resize((partners.size() + 1) / 2);
  Member member;
  for (const Runs& runs : partners) member.runs.insert(member.runs.end(), runs.begin(), runs.end());
  return member;
}

}  // namespace

std::vector<LinkSide> link_sides(const Structure& structure, const std::vector<StreamRate>& alone) {
  std::map<std::pair<std::uint32_t, bool>, std::vector<Runs>> partners;
  for (const StreamRate& stream : alone) {
    if (structure.kind(stream.from, stream.to) != PairKind::kNear || stream.rate <= 0) continue;
    Runs per_byte;
    for (const double rate : stream.runs) per_byte.push_back(1e9 / rate);
    partners[{stream.from.node, true}].push_back(per_byte);
    partners[{stream.to.node, false}].push_back(per_byte);
  }
  std::vector<LinkSide> sides;
  for (auto& [side, runs] : partners) {
    Member member = better_half(std::move(runs));
    const double middle = median(member.runs);
    sides.push_back({side.first, side.second, std::move(member), middle});
  }
  return sides;
}

std::vector<NodeLatency> node_latencies(const Structure& structure) {
  std::map<PairKind, Curve> centres;
  for (const PairKind kind : {PairKind::kNear, PairKind::kFar}) centres[kind] = structure.alike_curve(kind);
  std::map<std::uint32_t, std::vector<Runs>> partners;
  for (const auto& [pair, curve] : structure.alike) {
    const PairKind kind = structure.kind(pair.first, pair.second);
    if (pair.first.node == pair.second.node || curve.empty()) continue;
    const auto& [size, figure] = *curve.begin();
    Runs relative;
    for (const double run : figure.runs) relative.push_back(run / centres[kind].at(size).value);
    partners[pair.first.node].push_back(relative);
    partners[pair.second.node].push_back(relative);
  }
  std::vector<NodeLatency> nodes;
  for (auto& [node, runs] : partners) {
    Member member = better_half(std::move(runs));
    const double middle = median(member.runs);
    nodes.push_back({node, std::move(member), middle});
  }
  return nodes;
}

}  // namespace plumbline::hw::calibration
