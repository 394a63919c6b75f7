#pragma once
// A piecewise linear map from observed to expected times that never runs backwards.

#include "base/memory/scratch.hpp"
#include "base/units.hpp"

namespace plumbline::replay {

class TimeMap {
 public:
  explicit TimeMap(const Scratch& scratch = {}) : points_(scratch) {}

  // Observed and expected times that do not decrease; what is earlier than the previous point is moved to it.
  void add(Time observed, Time expected);

  // Between two points linear, rounded down; before the first and after the last the distance is kept (but no result is
  // before time 0).
  Time operator()(Time observed) const;

  void clear() { points_.clear(); }  // keeps its memory

  // Likewise, where it is known that `next` is the first point behind it (points may have equal times).
  Time before(std::size_t next, Time observed) const;
  Time expected(std::size_t point) const { return points_[point].expected; }
  std::size_t size() const { return points_.size(); }

 private:
  struct Point {
    Time observed, expected;
  };

  Column<Point> points_;
};

}  // namespace plumbline::replay
