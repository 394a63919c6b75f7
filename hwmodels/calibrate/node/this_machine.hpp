#pragma once
// The machine that this runs on, as hwloc sees it. HWLOC_XMLFILE and HWLOC_SYNTHETIC put another in its place.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plumbline::hw::calibration {

struct Machine {
  std::string host;
  std::uint32_t cpus = 0;                // that may be used
  std::vector<std::uint32_t> socket_of;  // [CPU of the operating system]; kNoCpu: not there
};
inline constexpr std::uint32_t kNoCpu = ~0U;

// Nothing where hwloc cannot tell.
std::optional<Machine> this_machine();

std::uint32_t sockets_of(const Machine& machine);

}  // namespace plumbline::hw::calibration
