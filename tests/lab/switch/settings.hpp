#pragma once
// What the switch is made of, as plain data: the configuration file after reading, and the settings in force.

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace plumbline::lab {

struct Mac {
  std::uint64_t bits = 0;  // the first octet on the wire is the highest of 48 bits

  auto operator<=>(const Mac&) const = default;
};

// Both directions of a cable: [0] from a node to its switch, or from the first switch of an uplink to the second; [1]
// the way back.
struct CableSettings {
  std::array<BytesPerSecond, 2> rate;
  Duration latency;        // one way, per direction
  Bytes queue{4'000'000};  // of the switch, per output
  double loss = 0;         // share of frames, in each direction
  bool half_duplex = false;
};

struct SwitchSettings {
  std::string name;
  BytesPerSecond backplane;  // 0: none
};

struct PortSettings {
  std::string name;
  std::uint32_t on_switch = 0;
  std::int32_t pid = 0;  // a process in the node's network namespace
  std::string device = "eth0";
  Mac mac;
  std::uint32_t mtu = 9000;
  CableSettings cable;
};

struct UplinkSettings {
  std::string name;
  std::array<std::uint32_t, 2> between{};  // switches
  CableSettings cable;
};

struct Settings {
  std::string control;     // path of the control socket
  std::int32_t core = -1;  // that the loop keeps to; -1: any
  Duration spin;           // after a frame: as long the loop looks for the next without sleeping; 0: it sleeps at once
  std::uint64_t seed = 1;
  std::vector<SwitchSettings> switches;
  std::vector<PortSettings> ports;
  std::vector<UplinkSettings> uplinks;
  Duration allowance = {};  // what the way from node to node takes beside the model: part of the ports' latencies
  bool awake = false;       // cores that have nothing to do stay awake
};

}  // namespace plumbline::lab
