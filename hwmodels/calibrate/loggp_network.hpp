#pragma once
// Parametrised round trips of a campaign -> a platform whose network is LogGP.

#include <optional>
#include <string>

#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/structure.hpp"

namespace plumbline::hw::calibration {

// Fills `inside`, `between` and, with several switches, a transport of its own for the pairs behind each of them.
// Throws Error (too noisy) where trains were measured at fewer than four sizes between nodes.
void fit_loggp_network(const Structure& structure, const Observations& observations,
                       std::optional<std::uint64_t> rendezvous, const std::string& source, Calibration& into);

}  // namespace plumbline::hw::calibration
