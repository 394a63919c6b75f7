#pragma once
// What a path through a store-and-forward network is made of, from how long messages take to cross it.
//
// Through k + 1 equal stages of rate r a message of s bytes in packets of Z bytes takes  latency + (k·min(s, Z) + s) /
// r (docs/models/network-store-and-forward.md): below Z each byte is sent k + 1 times in a row, beyond it once, for the
// stages work at the same time. So the line is (k + 1)/r steep, then 1/r; where both meet is Z. With k known from the
// structure, 1/r and the latency are slope and intercept over x = k·min(s, Z) + s, and Z is what makes that a line.

#include <span>

#include "hwmodels/calibrate/fit/line.hpp"

namespace plumbline::hw::calibration {

struct Path {
  double stages = 2;    // k + 1
  double per_byte = 0;  // 1/r, in ns; known from streams
};

struct Knee {
  double packet = 0;     // Z
  bool seen = false;     // the line without one is worse by more than noise
  double deviation = 0;  // mean, relative, with it
};

// Of one protocol, what the calls take taken off. `smallest` is the least packet to try.
Knee find_knee(std::span<const RestPoint> points, const Path& path, double smallest = 1024);

}  // namespace plumbline::hw::calibration
