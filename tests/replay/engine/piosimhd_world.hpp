#pragma once
// The world of PIOsimHD's table of file I/O (docs/notebook/piosimhd-file-io.md), for tests of whole replays.

#include <cstdint>
#include <functional>
#include <string>

#include "support.hpp"

namespace plumbline::replay::test {

constexpr std::uint32_t kCalls = 10, kClients = 2;
constexpr std::uint64_t kExtent = 10U << 20U;  // rank i accesses the one at (2c + i) * kExtent in call c

// Two clients, two servers with PIOsimHD's PVSDisk, each on a node of the Westmere cluster. /pvfs/x is striped over
// both servers; /pvfs/0 and /pvfs/1 lie on one each.
hw::Platform westmere_with_servers(const std::string& policy);

struct Ends {
  double ranks = 0, disks = 0;  // seconds
};

// `body`: of a rank; a sync of /pvfs/x follows, which tells when the disks have done everything. `first`: the rank that
// comes first where both do something at the same time.
Ends ends_of(const hw::Platform& platform, std::uint32_t first, Form form,
             const std::function<std::string(std::uint32_t rank)>& body);

}  // namespace plumbline::replay::test
