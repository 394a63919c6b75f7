#pragma once
// Hardware data that the user has, and what was measured against it.

#include <string>
#include <vector>

#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// The same observations with the nodes of the platform, in its order. Throws Error (`name`: of the platform's file)
// when it has no node of a name that was measured.
Observations on_nodes_of(const Platform& nominal, const Observations& observations, const std::string& name);

// The hardware of the nominal platform, without transports; sources that are empty say where the number is from.
Platform hardware_of(const Platform& nominal, const std::string& name);

// Rates of cables and of ways across that streams stay below by more than what both are known to and this allowance:
// frames have headers that the payload is without (1 to 6 % of Ethernet).
inline constexpr double kHeaderAllowance = 0.06;
std::vector<Finding> below_nominal(const Structure& structure, const Observations& observations,
                                   const Platform& platform);

}  // namespace plumbline::hw::calibration
