#pragma once
// Storage that was measured by itself -> a platform that has everything else.

#include <string>
#include <vector>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// `platform` with the file systems and servers of `measured`: the same platform, where nodes and cables of servers may
// have been added, with only the storage that was measured. One replaces the file system that has its path, whose name
// and other paths stay, and a server the one of its name. Servers go that nothing uses any more because of that. What
// was replaced, added and removed is noted.
Platform with_storage_of(const Platform& measured, const Platform& platform, std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
