#pragma once
// Messages from the call that sends to the call at whose end they have been received.

#include <cstdint>
#include <vector>

#include "viewer/export/timeline.hpp"
#include "viewer/index/matches/matches.hpp"

namespace plumbline::viewer {

struct Delivery {
  OperationId sent, received;
  // At whose end the message is there: `received`, or the wait for it. Of a receive that nobody waits for itself.
  OperationId completed;

  bool exists() const { return sent.exists(); }
};

// Of the message that this operation sends; nothing where it sends none, or its receive is not in the recording.
Delivery delivery_of(const replay::Program& program, const Matches& matches, OperationId sender);

// The messages that a rank receives, by the operation that completes them. Memory: of one rank.
std::vector<Delivery> deliveries_to(const replay::Program& program, const Matches& matches, std::uint32_t rank);

// Whether the run of this side has both ends; else it has no times of the message.
inline bool is_in(const Timeline& timeline, const Delivery& delivery) {
  return timeline.has(delivery.sent) && timeline.has(delivery.received) && timeline.has(delivery.completed);
}

// Whether it was there before it was sent, which only clocks that were corrected badly tell. No format can draw that.
inline bool is_backwards(const Timeline& timeline, const Delivery& delivery) {
  return timeline.end_ns(delivery.completed) < timeline.begin_ns(delivery.sent);
}

}  // namespace plumbline::viewer
