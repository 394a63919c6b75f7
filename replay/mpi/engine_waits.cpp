// Waits for several requests, in the order in which what they wait for has arrived (docs/models/replay-messages.md).

#include <algorithm>
#include <tuple>

#include "replay/mpi/engine.hpp"

namespace plumbline::replay::mpi {

void Engine::wait(std::span<std::uint32_t> requests) {
  sort_by_arrival(requests);
  for (const std::uint32_t request : requests) wait(request);
}

// The order of the events of their arrival, behind what is no message or not there. On LogGP the time that messages
// take together depends on the order in which they are taken, and what has arrived when a rank begins to wait depends
// on how far it is ahead of the clock.
void Engine::sort_by_arrival(std::span<std::uint32_t> requests) const {
  if (!order_matters()) return;
  const auto there = std::ranges::partition(requests, [this](std::uint32_t id) {
    return requests_[id].state != Request::State::kComplete || requests_[id].message == kNone;
  });
  if (there.size() < 2) return;
  std::ranges::sort(there, {}, [this](std::uint32_t id) {
    const Request& request = requests_[id];
    const Message& message = messages_[request.message];
    return std::tuple(request.at, message.channel.source, message.send_request);
  });
}

}  // namespace plumbline::replay::mpi
