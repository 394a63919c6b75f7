#include "cli/workflows/validate/settings/groups.hpp"

#include <algorithm>

namespace plumbline::cli::validate {
namespace {

constexpr double kMost = 0.8;  // of a cost: the rest is not looked for

void append(std::vector<SettingGroup> more, std::vector<SettingGroup>& to) {
  for (SettingGroup& group : more) to.push_back(std::move(group));
}

}  // namespace

std::vector<SettingGroup> costly_groups(const SettingGroup& all, const GroupCost& together,
                                        const MeasureGroup& measure) {
  if (all.size() < 2) return {all};
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  const SettingGroup first(all.begin(), middle), second(middle, all.end());
  std::vector<SettingGroup> found;
  const GroupCost of_first = measure(first);
  if (of_first.is_suspect) append(costly_groups(first, of_first, measure), found);
  if (of_first.is_suspect && together.lost > 0 && of_first.lost >= kMost * together.lost) return found;
  const GroupCost of_second = measure(second);
  if (of_second.is_suspect) append(costly_groups(second, of_second, measure), found);
  if (found.empty()) found.push_back(all);  // only together
  return found;
}

}  // namespace plumbline::cli::validate
