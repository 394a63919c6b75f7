#include "replay/expect/archive/metric_class.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay {

std::uint32_t add_metric_class(archive::Definitions& d, std::span<const MetricText> members) {
  archive::Metric metric{{}, archive::kMetricAsynchronous, archive::kRecorderAbstract};
  for (const MetricText& member : members) {
    metric.members.push_back(static_cast<std::uint32_t>(d.metric_members.size()));
    d.metric_members.push_back({d.strings.intern(member.name), d.strings.intern(member.description),
                                d.strings.intern(member.unit), archive::AttributeType::kUint64, 0, member.mode,
                                archive::kBaseDecimal, 0});
  }
  d.metrics.push_back(std::move(metric));
  return static_cast<std::uint32_t>(d.metrics.size() - 1);
}

std::uint32_t platform_group(archive::Definitions& d) {
  const archive::StringId name = d.strings.intern("Platform of the replay");
  const auto found = std::ranges::find(d.location_groups, name, &archive::LocationGroup::name);
  if (found != d.location_groups.end()) return static_cast<std::uint32_t>(found - d.location_groups.begin());
  d.location_groups.push_back({name, d.system_tree.empty() ? archive::kUndefined : 0, {}});
  return static_cast<std::uint32_t>(d.location_groups.size() - 1);
}

}  // namespace plumbline::replay
