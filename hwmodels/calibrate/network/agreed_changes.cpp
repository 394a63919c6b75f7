#include "hwmodels/calibrate/network/agreed_changes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace plumbline::hw::calibration {
namespace {

AgreedChange place_of(std::span<const SeenChange> group) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> votes;
  std::set<std::uint32_t> runs;
  std::size_t most = 0;
  for (const SeenChange& each : group) {
    most = std::max(most, ++votes[{each.low, each.high}]);
    runs.insert(each.run);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> winners;
  for (const auto& [bracket, count] : votes)
    if (count == most) winners.push_back(bracket);
  const auto& [low, high] = winners[winners.size() / 2];
  return {low, high, static_cast<std::uint32_t>(runs.size())};
}

}  // namespace

std::vector<AgreedChange> agreed_changes(std::vector<SeenChange> seen, std::uint32_t runs) {
  std::ranges::sort(seen, {}, [](const SeenChange& each) { return std::pair(each.low, each.high); });
  std::vector<AgreedChange> result;
  for (std::size_t begin = 0, end = 0; begin < seen.size(); begin = end) {
    std::uint64_t reach = seen[begin].high;
    for (end = begin; end < seen.size() && seen[end].low <= reach; ++end) reach = std::max(reach, seen[end].high);
    const AgreedChange agreed = place_of(std::span(seen).subspan(begin, end - begin));
    if (2 * agreed.runs >= runs) result.push_back(agreed);
  }
  return result;
}

}  // namespace plumbline::hw::calibration
