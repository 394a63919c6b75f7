#pragma once
// What the components of a platform did in the course of a run: time busy, bytes and packets waiting, sampled often
// enough to draw and seldom enough to hold, whatever the length of the run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/component_use.hpp"

namespace plumbline::hw {

// At the end of a step: begin + (step + 1) · length of a step.
struct UsePoint {
  std::uint32_t step = 0;
  ComponentUse use;

  bool operator==(const UsePoint&) const = default;
};

// Samples at the ends of equal steps. When there are more than kMostSteps, every two become one.
class UseHistory {
 public:
  static constexpr std::uint32_t kMostSteps = 1024;

  // `first_step`: their length at the beginning, at least 1 ps.
  UseHistory(std::size_t components, Time begin, Duration first_step)
      : begin_(begin), length_(first_step), next_(begin + length_), points_(components) {}

  // The moment of the next sample: before anything that happens then.
  Time next() const { return next_; }

  // Takes it: read(component) gives a ComponentUse. A component that has not changed since its last point adds none.
  template <class Read>
  void sample(Read read) {
    for (std::size_t component = 0; component < points_.size(); ++component) add(component, read(component));
    if (++steps_ == kMostSteps) halve();
    next_ = end_of(steps_);
  }

  Duration step() const { return length_; }
  Time end_of(std::uint32_t step) const { return begin_ + length_ * (std::int64_t{step} + 1); }
  // Ascending in step; nothing where it was never used.
  const std::vector<UsePoint>& of(std::size_t component) const { return points_[component]; }
  std::size_t components() const { return points_.size(); }

 private:
  void add(std::size_t component, const ComponentUse& use);
  void halve();

  Time begin_;
  Duration length_;
  Time next_;
  std::uint32_t steps_ = 0;  // taken
  std::vector<std::vector<UsePoint>> points_;
};

// Of a replay that was asked to keep it.
struct UseRecord {
  std::vector<std::string> names;       // by component
  std::optional<UseHistory> history;    // nothing: it was not asked for, or the network has no components
  std::vector<std::string> kinds = {};  // by component: "switch", "link"
};

// What a component has done in all, and the most packets that were seen to wait for it.
struct BusyComponent {
  std::string name;
  ComponentUse use;
};

// The components that were busy longest, those first; of equal ones in their order.
std::vector<BusyComponent> busiest(const UseRecord& record, std::size_t most);

}  // namespace plumbline::hw
