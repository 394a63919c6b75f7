#pragma once
// Parametrised round trips of a campaign -> a platform whose network is LogGP, which a sampled one of several nodes
// begins as: what messages cost their ranks, and how long interfaces are busy.

#include <optional>
#include <string>

#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Fills `inside`, `between` and, with several switches, a transport of its own for the pairs behind each of them.
// Throws Error (too noisy) where trains were measured at fewer than four sizes between nodes.
void fit_loggp_network(const Structure& structure, const Observations& observations,
                       std::optional<std::uint64_t> rendezvous, const std::string& source, Calibration& into);

// Between the ranks of one node as between nodes, where nobody measured it.
Transport assumed_inside(Transport between);

}  // namespace plumbline::hw::calibration
