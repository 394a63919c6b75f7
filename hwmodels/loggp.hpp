#pragma once
// The network of LogGP: no packets and no components, but each rank has an interface that is busy with a message for
// g + (s-1)G on either side. Parameters by size, from the transports of the platform. Formulas: docs/models.md.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform.hpp"

namespace plumbline::hw {

class LogGP {
 public:
  // `nodes`: of each rank. The platform must outlive it.
  LogGP(const Platform& platform, std::span<const std::uint32_t> nodes);

  struct Departure {
    Time start;    // the CPU of the sender is busy from here on, for o_s
    Time arrival;  // at the interface of the receiver
  };

  // A rank whose CPU is free at `cpu` sends; books its interface.
  Departure begin_send(std::uint32_t rank, std::uint32_t peer, Bytes bytes, Time cpu);

  // A rank takes what is there, and has its CPU, at `ready`. The answer is when it begins, for o_r; books its
  // interface.
  Time begin_receive(std::uint32_t rank, std::uint32_t peer, Bytes bytes, Time ready);

 private:
  struct Interface {
    Time sending, receiving;  // busy until
  };
  struct Wire {
    Duration overhead, latency, gap, serial;  // o_s, L, g, (s-1)G
  };
  Wire wire(std::uint32_t rank, std::uint32_t peer, Bytes bytes) const;

  const Platform& platform_;
  std::vector<std::uint32_t> nodes_;
  std::vector<Interface> interfaces_;
};

}  // namespace plumbline::hw
