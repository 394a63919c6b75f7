#include "hwmodels/usage/use_history.hpp"

#include <algorithm>

namespace plumbline::hw {
namespace {

ComponentUse in_all(const ComponentUse& use) { return use; }
ComponentUse in_all(const ServerSample& use) { return {use.busy, use.written + use.read, use.waiting}; }
ComponentUse in_all(const DeviceSample& use) { return {use.busy, use.written + use.read, use.waiting}; }

template <class Use>
void add_used(const std::vector<std::string>& names, const std::optional<StepHistory<Use>>& history, ComponentKind kind,
              std::vector<BusyComponent>& all) {
  if (!history) return;
  for (std::size_t component = 0; component < names.size(); ++component) {
    const std::vector<StepPoint<Use>>& points = history->of(component);
    if (points.empty()) continue;
    BusyComponent& busy = all.emplace_back(BusyComponent{names[component], in_all(points.back().use), kind});
    for (const StepPoint<Use>& point : points) busy.use.waiting = std::max(busy.use.waiting, point.use.waiting);
  }
}

}  // namespace

std::vector<BusyComponent> busiest(const UseRecord& record, std::size_t most) {
  std::vector<BusyComponent> all;
  add_used(record.names, record.history, ComponentKind::kNetwork, all);
  add_used(record.storage.servers, record.storage.server_use, ComponentKind::kServer, all);
  add_used(record.storage.devices, record.storage.device_use, ComponentKind::kDevice, all);
  std::ranges::stable_sort(all, [](const BusyComponent& a, const BusyComponent& b) { return a.use.busy > b.use.busy; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace plumbline::hw
