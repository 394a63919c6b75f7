#include "bench/ranks/environment/socket.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <cstdint>
#include <fstream>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {
namespace {

std::uint32_t package_of(std::uint32_t cpu, const std::filesystem::path& cpus_directory) {
  std::ifstream file(cpus_directory / fmt::format("cpu{}", cpu) / "topology/physical_package_id");
  std::int64_t package = -1;
  if (!(file >> package) || package < 0 || package >= kNoSocket) return kNoSocket;
  return static_cast<std::uint32_t>(package);
}

}  // namespace

std::vector<std::uint32_t> allowed_cpus() {
  cpu_set_t allowed;
  std::vector<std::uint32_t> cpus;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cpus;
  for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
  return cpus;
}

std::uint32_t socket_of_cpus(std::span<const std::uint32_t> cpus, const std::filesystem::path& cpus_directory) {
  if (cpus.empty()) return kNoSocket;
  const std::uint32_t first = package_of(cpus.front(), cpus_directory);
  for (const std::uint32_t cpu : cpus.subspan(1))
    if (package_of(cpu, cpus_directory) != first) return kNoSocket;
  return first;
}

}  // namespace plumbline::bench
