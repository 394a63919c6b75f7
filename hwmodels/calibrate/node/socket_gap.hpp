#pragma once
// How much longer a message takes across sockets than in one. docs/models/calibration-sockets.md.

#include <cstdint>
#include <optional>

#include "base/units.hpp"
#include "hwmodels/calibrate/structure/sockets.hpp"

namespace plumbline::hw::calibration {

// start + per_byte·min(s, Z) + beyond·max(0, s - Z) for a message of s bytes in packets of Z; a message that waits for
// its receiver has a request and an answer before it, each with a start of its own.
struct SocketGap {
  double start = 0, per_byte = 0;     // ns, ns/B
  std::optional<double> beyond = {};  // ns/B; not known where no two sizes of several packets were measured
  Bytes packet;
  std::optional<std::uint64_t> rendezvous = {};  // first size that waits

  double at(std::uint64_t size) const;
};

// By lines with errors relative to the time across sockets, none of them falling: a byte is not faster across sockets.
SocketGap fit_gap(const SocketGroup& group, Bytes packet, std::optional<std::uint64_t> rendezvous);

}  // namespace plumbline::hw::calibration
