// Send queues. A node hands the bytes of a connection to its interface until a limit of them waits there (TCP small
// queues), and the interface sends first in, first out. So what goes to one node leaves in bursts, and what comes
// behind waits for the bytes of others that are queued. Here: at the first cable a pair keeps its turn until so many
// bytes of it have been served since others began to wait, as long as its next packet is there when one ends.

#include <algorithm>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw {

// A turn that is kept is no turn first in, first out: nobody is told his before it comes.
void StoreAndForward::make_send_queues() {
  queue_turns_.resize(servers_.size());
  for (std::uint32_t id = 0; id < servers_.size(); ++id)
    if (topology_.leaves_node(id)) servers_[id].turns = packets::Turns::kDecided;
}

// Whether a station with packets goes before those that wait: it is in service, or has been until now. What travelled
// express left its turn untold where it has left the network; its service is over then, and so is the turn.
bool StoreAndForward::keeps_turn(std::uint32_t index, Time now) const {
  const packets::QueueTurn& turn = queue_turns_[stations_[index].component];
  return turn.station == index && turn.left.count > 0 && turn.busy_until >= now;
}

// A packet begins its service. A turn goes on only where others wait and the component was busy until now.
void StoreAndForward::count_turn(std::uint32_t index, Bytes size, packets::Service service, bool others_wait) {
  packets::QueueTurn& turn = queue_turns_[stations_[index].component];
  if (!stations_[index].queues) {
    turn = {};
    return;
  }
  const bool goes_on = turn.station == index && others_wait && turn.busy_until >= service.begin;
  if (!goes_on) turn = {index, sizes_.send_queue.value, {}};
  turn.left = turn.left - std::min(turn.left, size);
  turn.busy_until = service.end;
}

}  // namespace plumbline::hw
