#include "hwmodels/calibrate/node/this_machine.hpp"

#include <hwloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace plumbline::hw::calibration {
namespace {

class Hardware {
 public:
  Hardware() { ok_ = hwloc_topology_init(&topology_) == 0 && hwloc_topology_load(topology_) == 0; }
  ~Hardware() {
    if (topology_ != nullptr) hwloc_topology_destroy(topology_);
  }
  Hardware(const Hardware&) = delete;
  Hardware& operator=(const Hardware&) = delete;

  explicit operator bool() const { return ok_; }
  hwloc_topology_t get() const { return topology_; }

 private:
  hwloc_topology_t topology_ = nullptr;
  bool ok_ = false;
};

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

std::optional<Machine> this_machine() {
  const Hardware hardware;
  if (!hardware) return std::nullopt;
  Machine machine;
  machine.host = host_name();
  for (hwloc_obj_t cpu = nullptr; (cpu = hwloc_get_next_obj_by_type(hardware.get(), HWLOC_OBJ_PU, cpu)) != nullptr;) {
    ++machine.cpus;
    if (machine.socket_of.size() <= cpu->os_index) machine.socket_of.resize(cpu->os_index + 1, kNoCpu);
    const hwloc_obj_t socket = hwloc_get_ancestor_obj_by_type(hardware.get(), HWLOC_OBJ_PACKAGE, cpu);
    machine.socket_of[cpu->os_index] = socket == nullptr ? 0 : socket->logical_index;
  }
  if (machine.cpus == 0) return std::nullopt;
  return machine;
}

std::uint32_t sockets_of(const Machine& machine) {
  std::uint32_t sockets = 0;
  for (const std::uint32_t socket : machine.socket_of)
    if (socket != kNoCpu) sockets = std::max(sockets, socket + 1);
  return sockets;
}

}  // namespace plumbline::hw::calibration
