#pragma once
// Which of several settings cost what all of them together cost, by few measurements.

#include <cstddef>
#include <functional>
#include <vector>

namespace plumbline::cli::validate {

// Settings by their numbers.
using SettingGroup = std::vector<std::size_t>;

// What all settings of a group together were measured to cost.
struct GroupCost {
  bool is_suspect = false;  // more than nothing, as far as a few runs tell
  double lost = 0;          // by them, as a part of the time
};
using MeasureGroup = std::function<GroupCost(const SettingGroup&)>;

// Whether a group costs something beyond chance, by as many runs as it takes.
using ConfirmGroup = std::function<bool(const SettingGroup&)>;

// Groups that cost something, no half of which does: mostly of one setting. By halves of halves: `all` is suspect, as
// was measured (`together`; a loss of 0: not known, as ranks failed). The second half is not measured where what was
// confirmed of the first one explains all but a fifth of the cost, and less than a twentieth of the time is left.
std::vector<SettingGroup> costly_groups(const SettingGroup& all, const GroupCost& together, const MeasureGroup& measure,
                                        const ConfirmGroup& confirm);

}  // namespace plumbline::cli::validate
