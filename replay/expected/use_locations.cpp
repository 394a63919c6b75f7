#include "replay/expected/use_locations.hpp"

#include <array>
#include <utility>

#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

struct Member {
  const char* name;
  const char* description;
  const char* unit;
  std::uint8_t mode;
};

namespace names = archive::names;
constexpr std::array kMembers = {
    Member{names::kUseBusy, "time in which it served packets, since the beginning", "ps",
           archive::kMetricAccumulatedStart},
    Member{names::kUseBytes, "bytes that it has served, with headers, since the beginning", "B",
           archive::kMetricAccumulatedStart},
    Member{names::kUseWaiting, "packets that wait for it", "packets", archive::kMetricAbsolutePoint},
};

std::uint32_t add_metric(archive::Definitions& d) {
  archive::Metric metric{{}, archive::kMetricAsynchronous, archive::kRecorderAbstract};
  for (const Member& member : kMembers) {
    metric.members.push_back(static_cast<std::uint32_t>(d.metric_members.size()));
    d.metric_members.push_back({d.strings.intern(member.name), d.strings.intern(member.description),
                                d.strings.intern(member.unit), archive::AttributeType::kUint64, 0, member.mode,
                                archive::kBaseDecimal, 0});
  }
  d.metrics.push_back(std::move(metric));
  return static_cast<std::uint32_t>(d.metrics.size() - 1);
}

}  // namespace

UseLocations::UseLocations(archive::Definitions& d, std::span<const std::string> names, const hw::UseHistory& history,
                           std::span<const std::string> kinds)
    : history_(history) {
  const auto group = static_cast<std::uint32_t>(d.location_groups.size());
  for (std::size_t component = 0; component < history.components(); ++component) {
    if (history.of(component).empty()) continue;
    const std::uint64_t id = kFirstUseLocation + component;
    locations_.emplace_back(id, component);
    d.locations.push_back(
        {id, d.strings.intern(names[component]), group, 0, std::nullopt, archive::LocationType::kMetric});
    if (component < kinds.size() && !kinds[component].empty())
      d.locations.back().properties[archive::names::kPropertyComponentKind] = kinds[component];
  }
  if (locations_.empty()) return;
  d.location_groups.push_back(
      {d.strings.intern("Platform of the replay"), d.system_tree.empty() ? archive::kUndefined : 0, {}});
  metric_ = add_metric(d);
}

Time UseLocations::write(archive::Writer& writer) const {
  Time last;
  for (const auto& [id, component] : locations_) {
    writer.begin_location(id);
    for (const hw::UsePoint& point : history_.of(component)) {
      const std::array<std::uint64_t, kMembers.size()> values = {static_cast<std::uint64_t>(point.use.busy.ps),
                                                                 point.use.bytes.count, point.use.waiting};
      archive::Event event;
      event.kind = archive::EventKind::kMetric;
      event.time = last = history_.end_of(point.step);
      event.tag = metric_;
      event.values = values;
      writer.write(event);
    }
    writer.end_location();
  }
  return last;
}

}  // namespace plumbline::replay
