#pragma once
// How many things are somewhere, over time.

#include <algorithm>
#include <cstdint>

#include "base/units.hpp"

namespace plumbline::hw::storage {

class LoadMeter {
 public:
  void change(Time now, std::int64_t by) {
    integral_ += static_cast<double>(count_) * (now - since_).seconds();
    since_ = now;
    count_ += by;
    most_ = std::max(most_, count_);
  }

  std::int64_t count() const { return count_; }
  std::int64_t most() const { return most_; }

  // Between the start of time and `end`, which is not before the last change.
  double mean(Time end) const {
    const double all = integral_ + static_cast<double>(count_) * (end - since_).seconds();
    return end.ps > 0 ? all / end.seconds() : 0;
  }

 private:
  Time since_;
  std::int64_t count_ = 0, most_ = 0;
  double integral_ = 0;
};

}  // namespace plumbline::hw::storage
