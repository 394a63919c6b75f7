#pragma once
// What a message costs the two ranks and the way between them, by size and by whether it leaves the node
// (hwmodels/platform.hpp, MessageRange).

#include <array>
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform.hpp"

namespace plumbline::replay::mpi {

struct MessageCost {
  Duration send, receive;  // CPU of the sending and of the receiving rank
  Duration latency;        // beside the network's components
  bool rendezvous = false;
};

class Costs {
 public:
  explicit Costs(const hw::Platform& platform);

  // Remembers the last size of each range: programs repeat themselves.
  const MessageCost& of(bool inside, std::uint64_t bytes);

  // The largest size up to which everything is eager, inside nodes and between them.
  std::uint64_t always_eager() const { return always_eager_; }

 private:
  struct Range {
    hw::MessageRange range;
    std::uint64_t upto = 0;
    std::uint64_t known_size = 0;
    MessageCost known;
  };
  static MessageCost compute(const hw::MessageRange& range, std::uint64_t bytes);

  std::array<std::vector<Range>, 2> transports_;  // between, inside
  std::uint64_t always_eager_ = 0;
};

}  // namespace plumbline::replay::mpi
