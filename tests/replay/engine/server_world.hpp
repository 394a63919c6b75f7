#pragma once
// Platforms with file servers, for the tests of the replay.

#include <cstdint>

#include "support.hpp"

namespace plumbline::replay::test {

// star(clients + servers) of support.hpp: servers d0, d1, .. on the last nodes, their devices 50 µs and 1 GB/s; the
// file system "pfs" of all of them at /pfs, stripes of 1000 bytes. Clients compute nothing.
hw::Platform with_servers(std::uint32_t clients, std::uint32_t servers,
                          hw::CachePolicy policy = hw::CachePolicy::kWriteBehind);

}  // namespace plumbline::replay::test
