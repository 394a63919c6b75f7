#pragma once
// Messages between nodes: latencies of the cables, and what MPI adds.

#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/network/loopback.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// First size between nodes that waits for its receiver.
std::optional<std::uint64_t> rendezvous_between(const Structure& structure, const Observations& observations,
                                                std::vector<std::string>& notes);

// Fills the latencies of the edges, `between`, and its reports. The platform has its nodes, edges and rates.
// `keep_latencies`: those of the edges are given; what is left is the transport's. `loopback`: where it is known, what
// kernel and library take stays with the transport, and cables have the rest; else cables have all of it.
void fit_between(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                 const std::string& source, bool keep_latencies, const std::optional<Loopback>& loopback,
                 Calibration& into);

}  // namespace plumbline::hw::calibration
