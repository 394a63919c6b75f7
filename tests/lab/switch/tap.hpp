#pragma once
// The switch's end of a node's network interface: a TAP device in the network namespace of a process.

#include <cstddef>
#include <string>

#include "tests/lab/switch/descriptor.hpp"
#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

// What each read and write has in front of the Ethernet frame: struct virtio_net_hdr (virtio 1.2, section 5.1.6),
// passed on unchanged, so that a checksum that the sender's kernel left to its device is one that the receiver's
// trusts.
inline constexpr std::size_t kVnetHeader = 10;

// The largest frame that comes out of a device with that MTU: Ethernet header and one VLAN tag.
constexpr std::size_t largest_frame(std::uint32_t mtu) { return mtu + 14 + 4; }

// The device, up, with its address and MTU; frames arrive whole (no segmentation offload); reads do not block. It goes
// away when the descriptor is closed. The calling thread stays in its own namespace. Throws Error: kBadInput when the
// process is not there, kCannotRunHere when a privilege or /dev/net/tun is missing.
Descriptor open_tap(const PortSettings& port);

}  // namespace plumbline::lab
