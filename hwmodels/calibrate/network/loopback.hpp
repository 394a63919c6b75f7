#pragma once
// What kernel and MPI library take of a message between nodes: the time of messages between ranks of one node that talk
// as nodes do, with no cable between them. docs/models/calibration-latencies.md, "What is the cable's".

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// One way of the smallest message.
struct Loopback {
  std::uint64_t bytes = 0;
  double ns = 0, spread = 0;  // spread: relative
  std::uint32_t pairs = 0, repetitions = 0;

  double uncertainty_ns() const { return spread * ns; }
};

// Nothing where it was not measured, or where it takes no longer than messages through the memory of a node: then it
// was them. A note says so, and one says where it could not be told.
std::optional<Loopback> loopback_of(const Structure& structure, const Observations& observations,
                                    std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
