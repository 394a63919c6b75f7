// What components have done, for those who watch a run.

#include <algorithm>

#include "hwmodels/store_and_forward.hpp"

namespace plumbline::hw {

using namespace packets;

ComponentUse StoreAndForward::use(ComponentId component, Time now) const {
  const ComponentState& server = servers_[component];
  const Duration to_come = std::max(server.idle_at - now, Duration{});  // of the service in hand
  ComponentUse use{server.busy_time - to_come, server.served, 0};
  const auto count = [&](std::uint32_t station) {
    for (std::uint32_t packet = stations_[station].head; packet != kNone; packet = packets_[packet].next) ++use.waiting;
  };
  for (std::uint32_t station = server.turn; station != kNone; station = stations_[station].next_turn) count(station);
  if (server.returning != kNone) count(server.returning);
  return use;
}

}  // namespace plumbline::hw
