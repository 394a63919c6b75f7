// Send queues. A node hands the bytes of a connection to its interface until a limit of them waits there (TCP small
// queues), and the interface sends first in, first out. So what goes to one node leaves in bursts, and what comes
// behind waits for the bytes of others that are queued. Here: at the first cable a pair keeps its grant until so many
// bytes of it have been served since others began to wait, as long as its next packet is there when one ends.

#include <algorithm>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

// A grant that is kept is no grant first in, first out: nobody is told his before it comes.
void StoreAndForward::make_send_queues() {
  queue_turns_.resize(servers_.size());
  for (std::uint32_t id = 0; id < servers_.size(); ++id)
    if (topology_.leaves_node(id)) servers_[id].grants = packets::Grants::kDecided;
}

// Whether a pair queue with packets goes before those that wait: it is in service, or has been until now. What
// travelled express left its grant untold where it has left the network; its service is over then, and so is the grant.
bool StoreAndForward::keeps_turn(std::uint32_t index, Time now) const {
  const packets::QueueTurn& grant = queue_turns_[pair_queues_[index].component];
  return grant.pair_queue == index && grant.left.count > 0 && grant.busy_until >= now;
}

// A packet begins its service. A grant goes on only where others wait and the component was busy until now.
void StoreAndForward::count_turn(std::uint32_t index, Bytes size, packets::Service service, bool others_wait) {
  packets::QueueTurn& grant = queue_turns_[pair_queues_[index].component];
  if (!pair_queues_[index].queues) {
    grant = {};
    return;
  }
  const bool goes_on = grant.pair_queue == index && others_wait && grant.busy_until >= service.begin;
  if (!goes_on) grant = {index, sizes_.send_queue.value, {}};
  grant.left = grant.left - std::min(grant.left, size);
  grant.busy_until = service.end;
}

}  // namespace plumbline::hw
