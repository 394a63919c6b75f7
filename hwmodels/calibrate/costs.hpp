#pragma once
// What a message costs beside the wires, divided between its two ranks and the way.

#include "hwmodels/calibrate/fit/line.hpp"

namespace plumbline::hw::calibration {

// In ns and ns/B.
struct Costs {
  double send = 0, receive = 0, latency = 0, send_per_byte = 0, receive_per_byte = 0;

  double fixed() const { return send + receive + latency; }
};

// Gives each side what its calls take, and the rest of `total` to the way between; both less (`scaled`) when together
// they take longer than the message: calls overlap with its way. What is left per byte is the receiver's, who waits for
// it.
Costs divide(const Line& total, const Line& send, const Line& receive, bool& scaled);

}  // namespace plumbline::hw::calibration
