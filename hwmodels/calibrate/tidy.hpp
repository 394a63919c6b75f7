#pragma once
// What every platform that is made from measurements has in common.

#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// A spread is known to a tenth of a percent at best, and of nothing there is none.
void tidy(Platform& platform);

// "Open MPI v4.1.4, package: ..." -> "Open MPI v4.1.4"; "MPICH Version:\t4.0.2" -> "MPICH 4.0.2".
std::string short_library_name(std::string text);

}  // namespace plumbline::hw::calibration
