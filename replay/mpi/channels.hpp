#pragma once
// Messages whose other half is not there yet, found by who sends to whom in which communicator under which tag.
// The n-th send of a channel belongs to its n-th receive (MPI 4.0, 3.5: messages do not overtake, and wildcards are
// replayed as the match that was recorded), whatever the order in which the two ranks get there.

#include <cstdint>
#include <optional>

#include "replay/mpi/large_vector.hpp"

namespace plumbline::replay::mpi {

struct Channel {
  std::uint32_t receiver = 0, source = 0;  // world ranks
  std::uint32_t comm = 0;                  // collectives use numbers of their own: engine.hpp
  std::int32_t tag = 0;

  bool operator==(const Channel&) const = default;
};

// A hash table of queues. Only channels with something in them are in it, so its size follows what is outstanding.
// The queues are linked through the messages: next(message) is a reference to the number of the one behind it.
//
// Ranks that follow each other mostly talk to ranks that follow each other, at the same time. So the channels between
// four receivers and four sources have homes side by side, a block; a channel that finds its home in use looks at the
// next place of the next block, and so on.
class Channels {
 public:
  Channels();

  // The first message of a channel, or nothing.
  std::optional<std::uint32_t> front(const Channel& channel) const;

  // The slot of a channel: to look once and then take its first message or add one.
  std::size_t find(const Channel& channel) const;
  bool empty_at(std::size_t slot) const { return slots_[slot].head == kEmpty; }
  std::uint32_t front_at(std::size_t slot) const { return slots_[slot].head; }

  template <class Next>
  void add_at(std::size_t at, const Channel& channel, std::uint32_t message, Next next) {
    next(message) = kEmpty;
    Slot& slot = slots_[at];
    if (slot.head != kEmpty) {
      next(slot.tail) = message;
      slot.tail = message;
      return;
    }
    slot = {channel, message, message};
    if (++used_ * 2 > slots_.size()) grow();
  }

  template <class Next>
  void pop_at(std::size_t at, Next next) {
    Slot& slot = slots_[at];
    slot.head = next(slot.head);
    if (slot.head == kEmpty) erase(at);
  }

  // Calls visit(first message) for each channel, in an order that means nothing.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_)
      if (slot.head != kEmpty) visit(slot.head);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffff'ffff;
  static constexpr std::size_t kBlock = 16, kStep = 17;  // odd, so that it comes by every slot
  struct Slot {
    Channel channel;
    std::uint32_t head = kEmpty, tail = kEmpty;
  };

  std::size_t home(const Channel& channel) const;
  void grow();
  void erase(std::size_t slot);

  LargeVector<Slot> slots_;  // a power of two, at most half of it in use
  std::size_t used_ = 0;
};

}  // namespace plumbline::replay::mpi
