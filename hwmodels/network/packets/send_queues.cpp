#include "hwmodels/network/packets/send_queues.hpp"

#include <algorithm>

namespace plumbline::hw::packets {

bool keeps_turn(const State& state, std::uint32_t index, Time now) {
  const QueueTurn& grant = state.queue_turns[state.pair_queues[index].component];
  return grant.pair_queue == index && grant.left.count > 0 && grant.busy_until >= now;
}

void count_turn(State& state, std::uint32_t index, Bytes size, Service service, bool others_wait) {
  QueueTurn& grant = state.queue_turns[state.pair_queues[index].component];
  if (!state.pair_queues[index].queues) {
    grant = {};
    return;
  }
  const bool goes_on = grant.pair_queue == index && others_wait && grant.busy_until >= service.begin;
  if (!goes_on) grant = {index, state.sizes.send_queue.value, {}};
  grant.left = grant.left - std::min(grant.left, size);
  grant.busy_until = service.end;
}

}  // namespace plumbline::hw::packets
