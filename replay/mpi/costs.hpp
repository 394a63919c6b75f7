#pragma once
// What a message costs the two ranks and the way between them, by size and by the nodes it travels between
// (hwmodels/platform.hpp, Transport and MessageRange).

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

// Which transport of the platform; each has its costs, its progress and its order.
using TransportId = std::uint16_t;

class Costs {
 public:
  explicit Costs(const hw::Platform& platform);  // which must outlive it

  // Of messages between two nodes; symmetric.
  TransportId transport(std::uint32_t a, std::uint32_t b) const {
    if (a == b) return kInside;
    return classes_ == 0 ? kBetween : by_class_[std::size_t{class_of_[a]} * classes_ + class_of_[b]];
  }

  // Remembers the last size of each range: programs repeat themselves.
  const MessageCost& of(TransportId transport, std::uint64_t bytes);

  // Of a message of the protocol itself, without payload.
  const MessageCost& control(TransportId transport) const { return transports_[transport].control; }

  hw::Progress progress(TransportId transport) const { return transports_[transport].progress; }
  bool ordered(TransportId transport) const { return transports_[transport].ordered; }
  bool any_thread() const;

  // The largest size up to which everything is eager on every transport.
  std::uint64_t always_eager() const { return always_eager_; }

 private:
  static constexpr TransportId kBetween = 0, kInside = 1, kFirstPair = 2;

  struct Range {
    const hw::MessageRange* range = nullptr;
    std::uint64_t upto = 0;
    std::uint64_t known_size = 0;
    MessageCost known;
  };
  struct Known {
    std::vector<Range> ranges;
    MessageCost control;
    hw::Progress progress = hw::Progress::kInCalls;
    bool ordered = false;
  };

  void add(const hw::Transport& transport);
  void classify(const hw::Platform& platform);

  std::vector<Known> transports_;  // between, inside, then the platform's pairs
  std::uint64_t always_eager_ = 0;
  // Nodes that no pair transport tells apart are of one class; the transport of two classes is looked up.
  std::uint32_t classes_ = 0;  // 0: there are no pair transports
  std::vector<std::uint32_t> class_of_;
  std::vector<TransportId> by_class_;
};

}  // namespace plumbline::replay::mpi
