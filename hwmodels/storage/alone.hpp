#pragma once
// How long the model takes for one access when nobody else does anything.

#include <cstdint>

#include "hwmodels/platform/platform.hpp"
#include "hwmodels/storage/storage.hpp"

namespace plumbline::hw::storage {

// From the first node that is not the server's to a file on the first server of a distributed file system: network,
// server and device, without what the client itself computes (cached_read, cached_write).
Duration time_alone(const Platform& platform, std::uint32_t file_system, Access kind, Bytes bytes);

}  // namespace plumbline::hw::storage
