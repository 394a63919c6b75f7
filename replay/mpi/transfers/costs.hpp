#pragma once
// What a message costs the two ranks and the way between them, by size and by the nodes it travels between
// (hwmodels/platform/platform.hpp, Transport and MessageRange).

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/platform/transports.hpp"

namespace plumbline::replay::mpi {

struct MessageCost {
  Duration send, receive;  // CPU of the sending and of the receiving rank
  Duration latency;        // beside the network's components
  bool rendezvous = false;
  bool in_sample = false;  // a message of the protocol in a sampled network: the time of the payload holds it
  Duration behind = {};    // of a rendezvous: what its latency is beyond that of a message of the protocol
};

// A number of hw::Transports; each has its costs, its progress and its order.
using TransportId = std::uint16_t;

class Costs {
 public:
  explicit Costs(const hw::Platform& platform);
  Costs(const Costs&) = delete;
  Costs& operator=(const Costs&) = delete;

  // Of messages between two nodes; symmetric.
  TransportId transport(std::uint32_t a, std::uint32_t b) const {
    return static_cast<TransportId>(transports_.number(a, b));
  }

  // Remembers the last size of each range: programs repeat themselves.
  const MessageCost& of(TransportId transport, std::uint64_t bytes);

  // Of a message of the protocol itself, without payload.
  const MessageCost& control(TransportId transport) const { return known_[transport].control; }

  hw::Progress progress(TransportId transport) const { return transports_[transport].progress; }
  bool ordered(TransportId transport) const { return transports_[transport].ordered; }
  Bytes send_buffer(TransportId transport) const { return transports_[transport].send_buffer.value; }

  // Whether the receiver of these bytes copies them from the memory of the sender, which waits for it.
  bool receiver_copies(TransportId transport, std::uint64_t bytes) {
    const hw::Transport& its = transports_[transport];
    return its.sender_free == hw::SenderFree::kCopied && its.progress != hw::Progress::kHardware &&
           of(transport, bytes).rendezvous;
  }
  bool any_thread() const;

  // The largest size up to which everything is eager on every transport.
  std::uint64_t always_eager() const { return always_eager_; }

 private:
  struct Range {
    const hw::MessageRange* range = nullptr;
    std::uint64_t upto = 0;
    std::uint64_t known_size = 0;
    MessageCost known;
  };
  struct Known {
    std::vector<Range> ranges;
    MessageCost control;
    Duration control_latency = {};
  };

  const hw::Transports transports_;
  std::vector<Known> known_;  // per transport
  std::uint64_t always_eager_ = 0;
};

}  // namespace plumbline::replay::mpi
