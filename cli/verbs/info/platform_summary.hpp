#pragma once
// What a platform holds, in some lines.

#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::cli {

std::string describe_platform(const hw::Platform& platform);

}  // namespace plumbline::cli
