#include "cli/workflows/validate/settings/groups.hpp"

#include <algorithm>

namespace plumbline::cli::validate {
namespace {

// Where one half has most of a cost, the rest is not looked for, unless it is much by itself.
constexpr double kMost = 0.8;       // of the cost
constexpr double kMuchLeft = 0.05;  // of the time of all

bool has_nearly_all(const GroupCost& half, const GroupCost& together) {
  return half.is_suspect && together.lost > 0 && half.lost >= kMost * together.lost &&
         together.lost - half.lost < kMuchLeft;
}

void append(std::vector<SettingGroup> more, std::vector<SettingGroup>& to) {
  for (SettingGroup& group : more) to.push_back(std::move(group));
}

}  // namespace

std::vector<SettingGroup> costly_groups(const SettingGroup& all, const GroupCost& together, const MeasureGroup& measure,
                                        const ConfirmGroup& confirm) {
  std::vector<SettingGroup> found;
  if (all.size() > 1) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    const SettingGroup first(all.begin(), middle), second(middle, all.end());
    const GroupCost of_first = measure(first);
    if (of_first.is_suspect) append(costly_groups(first, of_first, measure, confirm), found);
    if (!found.empty() && has_nearly_all(of_first, together)) return found;
    const GroupCost of_second = measure(second);
    if (of_second.is_suspect) append(costly_groups(second, of_second, measure, confirm), found);
  }
  if (found.empty() && confirm(all)) found.push_back(all);  // by none of its halves alone
  return found;
}

}  // namespace plumbline::cli::validate
