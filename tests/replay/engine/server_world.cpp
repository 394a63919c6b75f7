#include "server_world.hpp"

#include <fmt/format.h>

namespace plumbline::replay::test {

hw::Platform with_servers(std::uint32_t clients, std::uint32_t servers, hw::CachePolicy policy) {
  hw::Platform platform = star(clients + servers);
  hw::FileSystem& files = platform.file_systems.emplace_back();
  files.name = "pfs";
  files.paths = {"/pfs"};
  files.distribution.stripe = Bytes{1000};
  for (std::uint32_t i = 0; i < servers; ++i) {
    hw::Server& server = platform.servers.emplace_back();
    server.name = fmt::format("d{}", i);
    server.node = clients + i;
    server.device.simple = hw::SimpleDevice{{microseconds(50), 0, ""}, {{1'000'000'000}, 0, ""}};
    server.cache.policy = policy;
    files.distribution.servers.push_back(i);
  }
  return platform;
}

}  // namespace plumbline::replay::test
