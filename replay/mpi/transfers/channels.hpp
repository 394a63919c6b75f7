#pragma once
// Messages whose other half is not there yet, found by who sends to whom in which communicator under which tag.
// The n-th send of a channel belongs to its n-th receive (MPI 4.0, 3.5: messages do not overtake, and wildcards are
// replayed as the match that was recorded), whatever the order in which the two ranks get there.

#include <cstdint>
#include <optional>

#include "replay/mpi/transfers/large_vector.hpp"

namespace plumbline::replay::mpi {

struct Channel {
  std::uint32_t receiver = 0, source = 0;  // world ranks
  std::uint32_t comm = 0;                  // collectives use numbers of their own: engine.hpp
  std::int32_t tag = 0;

  bool operator==(const Channel&) const = default;
};

// A hash table of queues. Only channels with something in them are in it, so its size follows what is outstanding.
// A place of it is small, because most of a look-up is the wait for its line of the cache: queues are linked through
// the messages, in a circle, and the messages tell their channels. Who owns the messages gives both:
//   links.channel(message)  the channel of a message that is in a queue
//   links.next(message)     a reference to the number of the one behind it
//
// Ranks that follow each other mostly talk to ranks that follow each other, at the same time. So the channels between
// four receivers and four sources have homes side by side, a block; a channel that finds its home in use looks at the
// next place of the next block, and so on.
class Channels {
 public:
  Channels() : slots_(64) {}

  // The first message of a channel, or nothing.
  template <class Links>
  std::optional<std::uint32_t> front(const Channel& channel, const Links& links) const {
    const Place place = find(channel, links);
    return empty_at(place) ? std::nullopt : std::optional(front_at(place, links));
  }

  // The place of a channel: to look once and then take its first message or add one.
  struct Place {
    std::size_t slot = 0;
    std::uint32_t hash = 0;
  };
  template <class Links>
  Place find(const Channel& channel, const Links& links) const {
    const std::uint32_t hash = hash_of(channel);
    std::size_t slot = home(hash);
    while (slots_[slot].last != kEmpty && !(slots_[slot].hash == hash && links.channel(slots_[slot].last) == channel))
      slot = (slot + kStep) & (slots_.size() - 1);
    return {slot, hash};
  }
  bool empty_at(Place place) const { return slots_[place.slot].last == kEmpty; }
  template <class Links>
  std::uint32_t front_at(Place place, const Links& links) const {
    return links.next(slots_[place.slot].last);
  }

  template <class Links>
  void add_at(Place place, std::uint32_t message, const Links& links) {
    Slot& slot = slots_[place.slot];
    if (slot.last != kEmpty) {
      links.next(message) = links.next(slot.last);
      links.next(slot.last) = message;
      slot.last = message;
      return;
    }
    links.next(message) = message;
    slot = {place.hash, message};
    if (++used_ * 2 > slots_.size()) grow();
  }

  template <class Links>
  void pop_at(Place place, const Links& links) {
    const std::uint32_t last = slots_[place.slot].last, first = links.next(last);
    if (first == last)
      erase(place.slot);
    else
      links.next(last) = links.next(first);
  }

  // Calls visit(message) for the last message of each channel, in an order that means nothing.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_)
      if (slot.last != kEmpty) visit(slot.last);
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffff'ffff;
  static constexpr std::size_t kBlock = 16, kStep = 17;  // odd, so that it comes by every slot
  struct Slot {
    std::uint32_t hash = 0;  // its home in the largest table: a number of a block, and a place in it
    std::uint32_t last = kEmpty;
  };
  static_assert(sizeof(Slot) == 8);

  // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  static std::uint32_t hash_of(const Channel& c) {
    const std::uint64_t who = static_cast<std::uint64_t>(c.receiver / 4) << 32 | c.source / 4;
    const std::uint64_t what = static_cast<std::uint64_t>(c.comm) << 32 | static_cast<std::uint32_t>(c.tag);
    const std::uint64_t mixed = mix(who * 0x9e3779b97f4a7c15ULL + what);
    // Each block begins somewhere else, or ranks four apart would all want the same place of theirs.
    const std::uint64_t place = (c.receiver % 4 * 4 + c.source % 4 + (mixed >> 60)) % kBlock;
    return static_cast<std::uint32_t>(mixed * kBlock + place);
  }

  std::size_t home(std::uint32_t hash) const { return hash & (slots_.size() - 1); }
  void grow();
  void erase(std::size_t slot);

  LargeVector<Slot> slots_;  // a power of two, at most half of it in use
  std::size_t used_ = 0;
};

}  // namespace plumbline::replay::mpi
