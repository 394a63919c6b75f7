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

void EventQueue::push_present(const Event& event) {
  present_.push_back(event);
  if (present_.size() > 1) std::push_heap(present_.begin(), present_.end(), Later{});
}

Event EventQueue::pop_present() {
  if (present_.size() > 1) std::pop_heap(present_.begin(), present_.end(), Later{});
  const Event event = present_.back();
  present_.pop_back();
  return event;
}

// Makes the least time of the lowest occupied bucket the present and spreads that bucket over the lower ones, which
// are all empty.
void EventQueue::advance(std::size_t bucket) {
  std::vector<Event>& events = future_[bucket];
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (const Event& event : events) least = std::min(least, key_of(event.at));
  last_ = least;
  for (const Event& event : events) {
    const std::uint64_t key = key_of(event.at);
    if (key == least)
      present_.push_back(event);
    else
      push_future(event, key);
  }
  events.clear();
  occupied_ &= ~(std::uint64_t{1} << bucket);
  if (present_.size() > 1) std::make_heap(present_.begin(), present_.end(), Later{});
}

}  // namespace plumbline::sim
