#include "replay/validate/witness/lossy_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace plumbline::replay::validate {
namespace {

constexpr double kNearlyAllAgain = 0.9;  // of what was sent again
constexpr std::size_t kMostRows = 12;

using Pair = std::pair<std::string, std::string>;  // in the order of their names

std::map<Pair, TcpTraffic> by_pair(const std::vector<TcpTraffic>& traffic) {
  std::map<Pair, TcpTraffic> pairs;
  for (const TcpTraffic& one : traffic) {
    if (one.from == one.to) continue;
    const Pair pair = std::minmax(one.from, one.to);
    TcpTraffic& both = pairs[pair];
    both.from = pair.first;
    both.to = pair.second;
    both.segments += one.segments;
    both.again += one.again;
  }
  return pairs;
}

// The node at one end of nearly all that was sent again, where it is an end of several pairs.
std::string node_of_all(const std::vector<TcpTraffic>& lossy) {
  std::map<std::string, std::pair<double, int>> of_nodes;
  double all = 0;
  for (const TcpTraffic& pair : lossy) {
    all += pair.again;
    for (const std::string& end : {pair.from, pair.to}) {
      of_nodes[end].first += pair.again;
      ++of_nodes[end].second;
    }
  }
  const auto most = std::ranges::max_element(of_nodes, {}, [](const auto& node) { return node.second.first; });
  return most->second.first >= kNearlyAllAgain * all && most->second.second > 1 ? most->first : std::string();
}

std::string name_of(const TcpTraffic& pair) { return pair.from + "-" + pair.to; }

void say_where(const std::vector<TcpTraffic>& lossy, LossyPairs& found) {
  Observation& into = found.observation;
  constexpr std::string_view kBegin = "TCP sent more than 1 segment in 10,000 again";
  if (lossy.size() == 1) {
    into.component = name_of(lossy.front());
    into.text = fmt::format("{} between {} and {}", kBegin, lossy.front().from, lossy.front().to);
    into.places = {into.component};
    found.ends = {lossy.front().from, lossy.front().to};
  } else if (const std::string node = node_of_all(lossy); !node.empty()) {
    into.component = node;
    into.text = fmt::format("{}, nearly all of it from or to {}", kBegin, node);
    into.places = found.ends = {node};
  } else {
    into.component = "pairs of nodes";
    into.text = fmt::format("{} between several pairs of nodes", kBegin);
    for (const TcpTraffic& pair : lossy) into.places.push_back(name_of(pair));
  }
}

}  // namespace

bool is_lossy(double sent, double again) {
  constexpr double kShare = 1e-4, kFew = 3;
  return again >= kFew && again > kShare * sent;
}

std::optional<LossyPairs> lossy_pairs(const std::vector<TcpTraffic>& traffic) {
  std::vector<TcpTraffic> lossy;
  for (const auto& [names, pair] : by_pair(traffic))
    if (is_lossy(pair.segments, pair.again)) lossy.push_back(pair);
  if (lossy.empty()) return {};
  std::ranges::stable_sort(lossy, std::greater<>(), &TcpTraffic::again);
  LossyPairs found{{}, {"net.retransmits", "", "", {}}};
  say_where(lossy, found);
  for (const TcpTraffic& pair : lossy) {
    if (found.observation.rows.size() == kMostRows) break;
    found.observation.rows.push_back(
        {name_of(pair), fmt::format("{:.0f} of {:.0f}", pair.again, pair.segments), "segments"});
  }
  return found;
}

}  // namespace plumbline::replay::validate
