#pragma once
// Ordered connections (hw::Transport::ordered): what one rank sends to another, payload and messages of the protocol
// alike, enters the network one after the other, as through one TCP connection in each direction of a pair.

#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "replay/mpi/transfers/channels.hpp"

namespace plumbline::replay::mpi {

inline constexpr std::uint32_t kNobody = 0xffff'ffff;

// Something that a rank puts into the network.
struct MessageTransfer {
  std::uint32_t message = kNobody;  // comes back; has one transfer under way at a time
  std::uint32_t from = 0, to = 0;
  std::uint32_t sequence = 0;  // of `from`
  Bytes bytes;
  std::uint32_t comm = 0;  // of its channel, with the tag
  std::int32_t tag = 0;
  Bytes buffer = {};  // its sender waits until no more of it is still to leave; 0: for nothing
};

// In the number of a message that a network tells of: it has not arrived, but what is still to leave fits its buffer.
inline constexpr std::uint32_t kBuffered = 1U << 30;

class Connections {
 public:
  struct Waiting {
    MessageTransfer transfer;
    Time ready;  // it enters the network then, or when the one before it has been sent
  };

  // True: nothing is before it, so that it enters the network when it is ready. Else it waits for its turn.
  bool begin(const MessageTransfer& transfer, Time ready);

  // The last packet of `message` has gone into the network. The one whose turn is next, or null; valid until the next
  // call. Messages of other connections may be told too.
  const Waiting* sent(std::uint32_t message);

 private:
  static Channel pair_of(const MessageTransfer& transfer) { return {transfer.to, transfer.from, 0, 0}; }

  // Of queues_: Channels asks for them.
  struct Links {
    const std::vector<Waiting>& waiting;
    std::vector<std::uint32_t>& behind;

    Channel channel(std::uint32_t message) const { return pair_of(waiting[message].transfer); }
    std::uint32_t& next(std::uint32_t message) const { return behind[message]; }
  };

  Channels queues_;                  // per pair: messages, the one that is in the network in front
  std::vector<Waiting> waiting_;     // by message
  std::vector<std::uint32_t> next_;  // likewise: of the queues
};

}  // namespace plumbline::replay::mpi
