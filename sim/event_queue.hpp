#pragma once
// The order of a simulation: (time, round, class, content). Equal times are worked off in rounds, and inside of a round
// by content, never by insertion or address, so that replays repeat to the byte whatever the queue, and however a
// replay is split. The rule: docs/models/time-and-order.md.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/check.hpp"
#include "base/units.hpp"
#include "sim/future_items.hpp"

namespace plumbline::sim {

// Fields are compared in the order they stand in; `payload` is not compared: two events that differ only there are a
// fault of the caller.
struct Event {
  static constexpr std::uint32_t kSignals = 0xffff'ffff;

  Time at;
  std::uint32_t component = 0;  // who handles it
  std::uint32_t kind = 0;       // class of event, of that component; kSignals: EventQueue::signals() are to be handled
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

// A small event of the network, of which a simulation has most. All signals of one round are handed over together, in
// any order; who takes them puts them in order by content.
struct Signal {
  Time at;
  std::uint32_t round = 0;
  std::uint32_t payload = 0;
};
static_assert(sizeof(Signal) == 16);

// A monotone priority queue. Amortised constant in the number of pending events. Nothing may be pushed before the time
// of the last pop; only pop() moves that time, so there is no peek (a horizon is an event).
//
// An instant is worked off in rounds 0, 1, ..: first the events of the round by order(), then its signals. What is
// pushed for a later time is due in its round 0 (signals: in the round that they name). An event for the present is due
// in the next round, so is a signal once the signals of the present round have been handed over.
class EventQueue {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // The time of the last pop; the least Time before the first one.
  Time now() const { return {static_cast<std::int64_t>(now_ ^ key_of({}))}; }
  std::uint32_t round() const { return round_; }

  void push(const Event& event) {
    const std::uint64_t key = checked_key(event.at);
    ++size_;
    if (key == now_)
      next_events_.push_back(event);
    else
      events_.add(event, key, now_);
  }

  // The first round of `at` for which a signal can be pushed.
  std::uint32_t earliest_round(Time at) const { return key_of(at) != now_ ? 0 : round_ + (handed_over_ ? 1 : 0); }

  void push_signal(Signal signal) {
    const std::uint64_t key = checked_key(signal.at);
    ++size_;
    if (key == now_) return push_present(signal);
    // By fields: a copy of the whole would wait for the fields to be written first.
    Signal& pushed = signals_.add(key, now_);
    pushed.at = signal.at;
    pushed.round = signal.round;
    pushed.payload = signal.payload;
  }

  // The least event, or an event of kind kSignals on component 0.
  Event pop();

  // After signals were handed over, as pop(), if signals are next and no event can be due before them; else false, and
  // nothing is done. For who goes on with them himself.
  bool pop_signals(Event& event) {
    if (!handed_over_ || !next_events_.empty()) return false;
    if (later_.empty()) [[likely]] {
      const unsigned bucket = signals_.first();
      if (bucket >= events_.first()) return false;
      if (!begin_instant_of_one_signal(bucket)) begin_instant_of_signals(bucket);
    } else {
      begin_round();
    }
    event = hand_over();
    return true;
  }

  // Payloads, after pop() has said so and until the next one.
  std::span<const std::uint32_t> signals() const { return present_signals_; }

  // After signals were handed over: moves on to the next round where nothing is pending in this instant; for who has
  // more to do in it and handles it without a pop.
  bool begin_next_round_alone() {
    if (!handed_over_ || !next_events_.empty() || !later_.empty()) return false;
    ++round_;
    return true;
  }

 private:
  std::uint64_t checked_key(Time at) const {
    const std::uint64_t key = key_of(at);
    PLUMBLINE_CHECK(key >= now_, "an event is pushed into the past");
    return key;
  }

  void push_present(Signal signal);
  Event pop_event();
  Event hand_over() {
    size_ -= present_signals_.size();
    handed_over_ = true;
    return {.at = now(), .kind = Event::kSignals};
  }
  void begin_round();
  void begin_instant();
  void begin_instant_of_signals(unsigned bucket);
  // If the bucket has one signal, as in most instants.
  bool begin_instant_of_one_signal(unsigned bucket) {
    const Signal* only = signals_.take_only(bucket);
    if (only == nullptr) return false;
    now_ = key_of(only->at);
    round_ = only->round;
    if (present_signals_.size() != 1) make_one_signal();
    present_signals_.front() = only->payload;
    return true;
  }
  // Not inline: mostly there was one before.
  [[gnu::noinline]] void make_one_signal() { present_signals_.resize(1); }
  void take_events(unsigned bucket);
  void take_signals(unsigned bucket);
  void take(const Signal& signal) {
    if (signal.round == 0)
      present_signals_.push_back(signal.payload);
    else
      later_.push_back(signal);
  }

  std::uint64_t now_ = 0;  // key_of(now())
  std::uint32_t round_ = 0;
  bool handed_over_ = false;  // the signals of this round
  std::size_t size_ = 0;
  FutureItems<Event> events_;
  FutureLists<Signal> signals_;
  std::vector<Event> present_events_;           // of this round, the least at the end
  std::vector<std::uint32_t> present_signals_;  // payloads of this round
  std::vector<Event> next_events_;              // of the next round
  std::vector<Signal> later_;                   // of later rounds of this instant, in no order
};

}  // namespace plumbline::sim
