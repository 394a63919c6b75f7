#include "cli/workflows/view/components.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "replay/expect/archive/use_locations.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::cli::view {
namespace {

using viewer::BusyPiece;
using viewer::ComponentHistory;

// Time busy since the beginning, at a moment. There is none where nothing has changed since the one before.
struct Sample {
  Time at;
  Duration busy;
};

struct Sampled {
  ComponentHistory component;
  std::vector<Sample> samples;
};

float share_of(Duration busy, Duration length) {
  if (length.ps <= 0) return 0;
  return static_cast<float>(std::clamp(busy.seconds() / length.seconds(), 0.0, 1.0));
}

// What was busy between two samples was so in the step before the later one, where they are further apart than a step.
std::vector<BusyPiece> pieces_of(const std::vector<Sample>& samples, Duration step) {
  std::vector<BusyPiece> pieces;
  const auto add = [&](Time begin, float busy) {
    if (!pieces.empty() && pieces.back().begin == begin) pieces.pop_back();
    if (pieces.empty() || pieces.back().busy != busy) pieces.push_back({begin, busy});
  };
  Duration before;
  Time end;
  for (const Sample& sample : samples) {
    const Time begin = std::max(end, sample.at - std::max(step, sample.busy - before));
    if (begin > end && !pieces.empty()) add(end, 0);
    add(begin, share_of(sample.busy - before, sample.at - begin));
    before = sample.busy;
    end = sample.at;
  }
  if (!pieces.empty()) add(end, 0);
  return pieces;
}

// The least time between two samples of any of them: all are sampled at the same moments.
Duration step_of(const std::vector<Sampled>& all) {
  std::optional<Duration> step;
  for (const Sampled& each : all)
    for (std::size_t i = 1; i < each.samples.size(); ++i) {
      const Duration gap = each.samples[i].at - each.samples[i - 1].at;
      if (gap.ps > 0 && (!step || gap < *step)) step = gap;
    }
  return step.value_or(Duration{});
}

std::vector<ComponentHistory> histories_of(std::vector<Sampled> all) {
  const Duration step = step_of(all);
  std::vector<ComponentHistory> histories;
  for (Sampled& each : all) {
    each.component.pieces = pieces_of(each.samples, step);
    if (!each.component.pieces.empty()) histories.push_back(std::move(each.component));
  }
  return histories;
}

Sampled read_samples(archive::Reader& reader, std::uint32_t location) {
  const archive::Definitions& definitions = reader.definitions();
  Sampled sampled;
  sampled.component.name = definitions.strings[definitions.locations[location].name];
  const auto& properties = definitions.locations[location].properties;
  if (const auto kind = properties.find(archive::names::kPropertyComponentKind); kind != properties.end())
    sampled.component.kind = kind->second;
  reader.read(location, [&](const archive::Event& event) {
    if (event.kind != archive::EventKind::kMetric) return;
    const std::vector<std::uint32_t>& members = definitions.members_of(event.tag);
    for (std::size_t i = 0; i < members.size(); ++i)
      if (definitions.strings[definitions.metric_members[members[i]].name] == archive::names::kUseBusy)
        sampled.samples.push_back({event.time, Duration{static_cast<std::int64_t>(event.values[i])}});
  });
  return sampled;
}

template <class Use>
void add_histories(const hw::StepHistory<Use>& history, const std::vector<std::string>& names,
                   const std::vector<std::string>& kinds, const char* kind, std::vector<Sampled>& all) {
  for (std::size_t i = 0; i < history.components() && i < names.size(); ++i) {
    Sampled& sampled = all.emplace_back();
    sampled.component = {names[i], i < kinds.size() ? kinds[i] : kind, {}};
    for (const auto& point : history.of(i)) sampled.samples.push_back({history.end_of(point.step), point.use.busy});
  }
}

}  // namespace

std::vector<ComponentHistory> component_histories(archive::Reader& expected) {
  std::vector<Sampled> all;
  const auto& locations = expected.definitions().locations;
  for (std::uint32_t i = 0; i < locations.size(); ++i)
    if (locations[i].type == archive::LocationType::kMetric && locations[i].otf2_id >= replay::kFirstUseLocation)
      all.push_back(read_samples(expected, i));
  return histories_of(std::move(all));
}

std::vector<ComponentHistory> component_histories(const hw::UseRecord& use) {
  std::vector<Sampled> all;
  if (use.history) add_histories(*use.history, use.names, use.kinds, "", all);
  if (use.storage.server_use) add_histories(*use.storage.server_use, use.storage.servers, {}, "server", all);
  if (use.storage.device_use) add_histories(*use.storage.device_use, use.storage.devices, {}, "device", all);
  return histories_of(std::move(all));
}

}  // namespace plumbline::cli::view
