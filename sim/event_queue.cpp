#include "sim/event_queue.hpp"

#include <algorithm>

namespace plumbline::sim {
namespace {

// order() for events of equal time, two fields at a time.
struct Later {
  static std::uint64_t pair(std::uint32_t high, std::uint32_t low) {
    return static_cast<std::uint64_t>(high) << 32 | low;
  }

  bool operator()(const Event& a, const Event& b) const {
    const std::uint64_t handler_a = pair(a.component, a.kind), handler_b = pair(b.component, b.kind);
    if (handler_a != handler_b) return handler_a > handler_b;
    const std::uint64_t cause_a = pair(a.source, a.sequence), cause_b = pair(b.source, b.sequence);
    if (cause_a != cause_b) return cause_a > cause_b;
    return a.packet > b.packet;
  }
};

}  // namespace

Event EventQueue::pop() {
  PLUMBLINE_CHECK(size_ > 0, "pop of an empty event queue");
  while (true) {
    if (!present_events_.empty()) return pop_event();
    if (!handed_over_ && !present_signals_.empty()) return hand_over();
    if (next_events_.empty() && later_.empty())
      begin_instant();
    else
      begin_round();
  }
}

Event EventQueue::pop_event() {
  const Event event = present_events_.back();
  present_events_.pop_back();
  --size_;
  return event;
}

void EventQueue::push_present(Signal signal) {
  PLUMBLINE_CHECK(signal.round >= earliest_round(signal.at), "a signal is pushed into a round that is over");
  if (signal.round == round_ && !handed_over_)
    present_signals_.push_back(signal.payload);
  else
    later_.push_back(signal);
}

// The next round of this instant in which something is due.
void EventQueue::begin_round() {
  handed_over_ = false;
  present_signals_.clear();
  if (later_.size() == 1 && next_events_.empty()) {  // as mostly
    round_ = later_.front().round;
    present_signals_.push_back(later_.front().payload);
    return later_.clear();
  }
  std::uint32_t round = next_events_.empty() ? std::numeric_limits<std::uint32_t>::max() : round_ + 1;
  for (const Signal& signal : later_) round = std::min(round, signal.round);
  round_ = round;
  std::erase_if(later_, [&](const Signal& signal) {
    if (signal.round != round) return false;
    present_signals_.push_back(signal.payload);
    return true;
  });
  present_events_.swap(next_events_);
  if (present_events_.size() > 1) std::sort(present_events_.begin(), present_events_.end(), Later{});
}

void EventQueue::begin_instant() {
  round_ = 0;
  handed_over_ = false;
  present_signals_.clear();
  const unsigned events = events_.first(), signals = signals_.first(), lowest = std::min(events, signals);
  if (signals < events) return begin_instant_of_signals(signals);
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  if (events == lowest) least = events_.least_key(lowest);
  if (signals == lowest) least = std::min(least, signals_.least_key(lowest));
  now_ = least;
  if (events == lowest) take_events(lowest);
  if (signals == lowest) take_signals(lowest);
}

void EventQueue::begin_instant_of_signals(unsigned bucket) {
  bucket = signals_.narrow_down(bucket, now_);
  if (begin_instant_of_one_signal(bucket)) return;
  present_signals_.clear();
  round_ = 0;
  now_ = signals_.least_key(bucket);
  take_signals(bucket);
  if (present_signals_.empty()) begin_round();
}

void EventQueue::take_events(unsigned bucket) {
  events_.take_due(bucket, now_, [&](const Event& event) { present_events_.push_back(event); });
  if (present_events_.size() > 1) std::sort(present_events_.begin(), present_events_.end(), Later{});
}

void EventQueue::take_signals(unsigned bucket) {
  signals_.take_due(bucket, now_, [&](const Signal& signal) { take(signal); });
}

}  // namespace plumbline::sim
