#pragma once
// Writes <server> and <distribution>.

#include <string>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

std::string write_server(const Platform& platform, const Server& server);

// Empty when the file system is not distributed.
std::string write_distribution(const Platform& platform, const Distribution& distribution);

}  // namespace plumbline::hw
