#pragma once
// A number of a platform with what is known about it.

#include <string>

namespace plumbline::hw {

template <class T>
struct Parameter {
  T value{};
  double spread = 0;   // relative half-width of the values that are plausible: 0.05 means ±5 %. 0: not known
  std::string source;  // "calibrate: ping-pong, 30 × 100 repetitions, median"; empty: typed in by hand

  bool operator==(const Parameter&) const = default;
};

}  // namespace plumbline::hw
