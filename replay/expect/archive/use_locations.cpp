#include "replay/expect/archive/use_locations.hpp"

#include <array>

#include "replay/expect/archive/metric_class.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
constexpr std::array kMembers = {
    MetricText{names::kUseBusy, "time in which it served packets, since the beginning", "ps",
               archive::kMetricAccumulatedStart},
    MetricText{names::kUseBytes, "bytes that it has served, with headers, since the beginning", "B",
               archive::kMetricAccumulatedStart},
    MetricText{names::kUseWaiting, "packets that wait for it", "packets", archive::kMetricAbsolutePoint},
};

}  // namespace

UseLocations::UseLocations(archive::Definitions& d, std::span<const std::string> names, const hw::UseHistory& history,
                           std::span<const std::string> kinds)
    : history_(history) {
  for (std::size_t component = 0; component < history.components(); ++component) {
    if (history.of(component).empty()) continue;
    const std::uint64_t id = kFirstUseLocation + component;
    locations_.emplace_back(id, component);
    d.locations.push_back(
        {id, d.strings.intern(names[component]), platform_group(d), 0, std::nullopt, archive::LocationType::kMetric});
    if (component < kinds.size() && !kinds[component].empty())
      d.locations.back().properties[archive::names::kPropertyComponentKind] = kinds[component];
  }
  if (!locations_.empty()) metric_ = add_metric_class(d, kMembers);
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
