#include "replay/use_history.hpp"

namespace plumbline::replay {

void UseHistory::add(std::size_t component, const hw::ComponentUse& use) {
  std::vector<UsePoint>& points = points_[component];
  const bool changed = points.empty() ? use != hw::ComponentUse{} : points.back().use != use;
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

}  // namespace plumbline::replay
