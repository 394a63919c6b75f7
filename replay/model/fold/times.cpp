#include "replay/model/fold/times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/quantity.hpp"
#include "replay/model/fold/patterns.hpp"

namespace plumbline::replay::model {
namespace {

struct Group {
  RankSet ranks;
  double sum = 0;  // ps
};

// By their length.
std::vector<Group> groups_of(std::vector<RankTime> times, const Alike& alike) {
  std::ranges::stable_sort(times, {}, &RankTime::time);
  std::vector<std::vector<RankTime>> parts;
  for (const RankTime& one : times) {
    const double shortest = parts.empty() ? 0 : parts.back().front().time;
    const double apart = std::min(shortest * alike.share, alike.most) + alike.negligible;
    if (parts.empty() || one.time > shortest + apart) parts.emplace_back();
    parts.back().push_back(one);
  }
  std::vector<Group> groups;
  for (std::vector<RankTime>& part : parts) {
    std::ranges::sort(part, {}, &RankTime::rank);
    Group group;
    for (const RankTime& one : part) {
      group.ranks.add(one.rank);
      group.sum += one.time;
    }
    groups.push_back(std::move(group));
  }
  std::ranges::stable_sort(groups, {},
                           [](const Group& group) { return std::pair(group.ranks.size(), group.ranks.first()); });
  return groups;
}

std::string mean_text(const Group& group, const std::string& factor) {
  return format_exact(Duration{std::llround(group.sum / static_cast<double>(group.ranks.size()))}) + factor;
}

std::string chain_of(const std::vector<Group>& groups, std::uint32_t all, const std::string& factor) {
  std::string text;
  for (std::size_t i = 0; i + 1 < groups.size(); ++i)
    for (const std::string& condition : conditions_of(groups[i].ranks, all))
      text += fmt::format("({}) ? {} : ", condition, mean_text(groups[i], factor));
  return text + mean_text(groups.back(), factor);
}

}  // namespace

std::string time_text(const std::vector<RankTime>& times, Alike alike, std::uint32_t all, const std::string& factor) {
  if (std::ranges::all_of(times, [](const RankTime& one) { return std::llround(one.time) == 0; })) return "";
  for (;; alike = {2 * alike.share, 2 * alike.most, 2 * alike.negligible + 1}) {
    const std::vector<Group> groups = groups_of(times, alike);
    const std::string text = chain_of(groups, all, factor);
    if (text.size() <= kLongestExpression || groups.size() == 1) return text;
  }
}

}  // namespace plumbline::replay::model
