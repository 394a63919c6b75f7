#pragma once
// The network of LogGP: no components and no contention but in the interface of each rank, which is busy with a message
// for g + (s-1)G in either direction (Alexandrov et al. 1995, doi 10.1145/215399.215427; Hoefler et al., "LogGP in
// theory and practice", 2009). Parameters per range of sizes and pair of nodes, from
// MessageRange: o_s = send + s/send_rate, o_r = receive + s/receive_rate, L = latency, g = gap, 1/G = gap_rate.
// Formulas: docs/models/network-loggp.md.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/transports.hpp"

namespace plumbline::hw {

// Calls of one rank come in the order of its program. There are no events: who sends pushes the arrival. The overheads
// are the caller's to charge; between what it gives and gets, only the interface is waited for.
class LogGP {
 public:
  // `nodes`: of each rank; they outlive this.
  LogGP(const Platform& platform, std::span<const std::uint32_t> nodes);

  struct Departure {
    Time start;    // when the CPU has come and the interface is free; the CPU is busy from then on for o_s
    Time arrival;  // start + o_s + L + (s-1)G
  };
  // Takes the interface of `rank` for a message to `peer`. The CPU has come at `cpu`.
  Departure begin_send(std::uint32_t rank, std::uint32_t peer, Bytes size, Time cpu);

  // From when the CPU of the sender is free until `bytes` of a message of `size` have left: (bytes-1)G.
  Duration leaves_after(std::uint32_t rank, std::uint32_t peer, Bytes size, Bytes bytes) const;

  // Takes the interface of `rank` for a message from `peer`. The message has arrived and the CPU come at `ready`; the
  // answer is when the CPU begins to be busy with it, for o_r.
  Time begin_receive(std::uint32_t rank, std::uint32_t peer, Bytes size, Time ready);

 private:
  struct Costs {
    Bytes size;
    Duration flight;  // o_s + L + (s-1)G
    Duration busy;    // g + (s-1)G
  };
  struct Interface {
    Time send, receive;  // free from then on
  };

  const Costs& costs(std::uint32_t rank, std::uint32_t peer, Bytes size);

  Transports transports_;
  const std::span<const std::uint32_t> nodes_;  // by rank
  std::vector<Interface> interfaces_;
  std::vector<Costs> known_;  // per transport, of the size that it carried last: most messages have that
};

}  // namespace plumbline::hw
