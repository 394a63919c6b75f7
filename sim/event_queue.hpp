#pragma once
// The order of a simulation: a queue of small events. Equal times are ordered by content, never by insertion or
// address, so that replays repeat to the byte whatever the queue, and however a replay is split.

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"

namespace plumbline::sim {

// Fields are compared in the order they stand in; `payload` is not compared: two events that differ only there are a
// fault of the caller.
struct Event {
  Time at;
  std::uint32_t component = 0;  // who handles it
  std::uint32_t kind = 0;       // class of event, of that component
  std::uint32_t source = 0;     // rank that caused it
  std::uint32_t sequence = 0;   // that rank's running number
  std::uint32_t packet = 0;
  std::uint32_t payload = 0;
};
static_assert(sizeof(Event) == 32);

constexpr std::strong_ordering order(const Event& a, const Event& b) {
  if (const std::strong_ordering c = a.at <=> b.at; c != 0) return c;
  if (const std::strong_ordering c = a.component <=> b.component; c != 0) return c;
  if (const std::strong_ordering c = a.kind <=> b.kind; c != 0) return c;
  if (const std::strong_ordering c = a.source <=> b.source; c != 0) return c;
  if (const std::strong_ordering c = a.sequence <=> b.sequence; c != 0) return c;
  return a.packet <=> b.packet;
}

// A monotone priority queue: a radix heap over the time, a binary heap by content over the events of the present
// time. Amortised constant in the number of pending events. Nothing may be pushed before the time of the last pop;
// only pop() moves that time, so there is no peek (a horizon is an event).
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // The time of the last pop; the least Time before the first one.
  Time now() const { return {static_cast<std::int64_t>(last_ ^ kSignBit)}; }

  void push(const Event& event) {
    const std::uint64_t key = key_of(event.at);
    PLUMBLINE_CHECK(key >= last_, "an event is pushed into the past");
    ++size_;
    if (key == last_)
      push_present(event);
    else
      push_future(event, key);
  }

  // The least event by order().
  Event pop() {
    PLUMBLINE_CHECK(size_ > 0, "pop of an empty event queue");
    --size_;
    if (present_.empty()) {
      const std::size_t lowest = static_cast<std::size_t>(std::countr_zero(occupied_));
      if (future_[lowest].size() == 1) return pop_only(lowest);
      advance(lowest);
    }
    return pop_present();
  }

 private:
  static constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;
  static std::uint64_t key_of(Time at) { return static_cast<std::uint64_t>(at.ps) ^ kSignBit; }

  // future_[i] holds the events whose time differs from last_ first in bit i.
  void push_future(const Event& event, std::uint64_t key) {
    const std::size_t bucket = static_cast<std::size_t>(63 - std::countl_zero(key ^ last_));
    future_[bucket].push_back(event);
    occupied_ |= std::uint64_t{1} << bucket;
  }

  Event pop_only(std::size_t bucket) {
    const Event event = future_[bucket].front();
    future_[bucket].clear();
    occupied_ &= ~(std::uint64_t{1} << bucket);
    last_ = key_of(event.at);
    return event;
  }

  void push_present(const Event& event);
  Event pop_present();
  void advance(std::size_t bucket);

  std::uint64_t last_ = 0;      // key_of(now())
  std::uint64_t occupied_ = 0;  // bit i: future_[i] is not empty
  std::size_t size_ = 0;
  std::vector<Event> present_;  // events of now(), a heap with the least in front
  std::array<std::vector<Event>, 64> future_;
};

}  // namespace plumbline::sim
