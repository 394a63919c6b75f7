#include "hwmodels/use_history.hpp"

#include <algorithm>

namespace plumbline::hw {

void UseHistory::add(std::size_t component, const ComponentUse& use) {
  std::vector<UsePoint>& points = points_[component];
  const bool changed = points.empty() ? use != ComponentUse{} : points.back().use != use;
  if (changed) points.push_back({steps_, use});
}

// Step 2k and 2k + 1 become k: what is known at the end of the later one counts.
void UseHistory::halve() {
  for (std::vector<UsePoint>& points : points_) {
    std::size_t kept = 0;
    for (const UsePoint& point : points) {
      const std::uint32_t step = point.step / 2;
      if (kept > 0 && points[kept - 1].step == step) --kept;
      points[kept++] = {step, point.use};
    }
    points.resize(kept);
  }
  steps_ /= 2;
  length_ = length_ * 2;
}

std::vector<BusyComponent> busiest(const UseRecord& record, std::size_t most) {
  std::vector<BusyComponent> all;
  if (!record.history) return all;
  for (std::size_t component = 0; component < record.names.size(); ++component) {
    const std::vector<UsePoint>& points = record.history->of(component);
    if (points.empty()) continue;
    BusyComponent& busy = all.emplace_back(BusyComponent{record.names[component], points.back().use});
    for (const UsePoint& point : points) busy.use.waiting = std::max(busy.use.waiting, point.use.waiting);
  }
  std::ranges::stable_sort(all, [](const BusyComponent& a, const BusyComponent& b) { return a.use.busy > b.use.busy; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace plumbline::hw
