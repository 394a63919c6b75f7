#pragma once
// Samples at the ends of equal steps of a run: often enough to draw and seldom enough to hold, whatever its length.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.hpp"

namespace plumbline::hw {

// At the end of a step: begin + (step + 1) · length of a step.
template <class Use>
struct StepPoint {
  std::uint32_t step = 0;
  Use use;

  bool operator==(const StepPoint&) const = default;
};

// When there are more than kMostSteps, every two become one. Histories of one run that begin with the same step are
// sampled at the same moments.
template <class Use>
class StepHistory {
 public:
  static constexpr std::uint32_t kMostSteps = 1024;

  // `first_step`: their length at the beginning, at least 1 ps.
  StepHistory(std::size_t components, Time begin, Duration first_step)
      : begin_(begin), length_(first_step), next_(begin + length_), points_(components) {}

  // The moment of the next sample: before anything that happens then.
  Time next() const { return next_; }

  // Takes it: read(component) gives a Use. A component that has not changed since its last point adds none.
  template <class Read>
  void sample(Read read) {
    for (std::size_t component = 0; component < points_.size(); ++component) add(component, read(component));
    end_step();
  }

  // Takes it, of all components that have changed since the last one: a range of component and use.
  template <class Samples>
  void sample_changed(const Samples& samples) {
    for (const auto& each : samples) add(each.component, each.use);
    end_step();
  }

  Duration step() const { return length_; }
  Time end_of(std::uint32_t step) const { return begin_ + length_ * (std::int64_t{step} + 1); }
  // Ascending in step; nothing where it was never used.
  const std::vector<StepPoint<Use>>& of(std::size_t component) const { return points_[component]; }
  std::size_t components() const { return points_.size(); }

 private:
  void add(std::size_t component, const Use& use) {
    std::vector<StepPoint<Use>>& points = points_[component];
    const bool changed = points.empty() ? use != Use{} : points.back().use != use;
    if (changed) points.push_back({steps_, use});
  }

  void end_step() {
    if (++steps_ == kMostSteps) halve();
    next_ = end_of(steps_);
  }

  // Step 2k and 2k + 1 become k: what is known at the end of the later one counts.
  void halve() {
    for (std::vector<StepPoint<Use>>& points : points_) {
      std::size_t kept = 0;
      for (const StepPoint<Use>& point : points) {
        const std::uint32_t step = point.step / 2;
        if (kept > 0 && points[kept - 1].step == step) --kept;
        points[kept++] = {step, point.use};
      }
      points.resize(kept);
    }
    steps_ /= 2;
    length_ = length_ * 2;
  }

  Time begin_;
  Duration length_;
  Time next_;
  std::uint32_t steps_ = 0;  // taken
  std::vector<std::vector<StepPoint<Use>>> points_;
};

}  // namespace plumbline::hw
