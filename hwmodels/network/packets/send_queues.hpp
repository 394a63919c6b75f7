#pragma once
// Send queues. A node hands the bytes of a connection to its interface until a limit of them waits there (TCP small
// queues), and the interface sends first in, first out. So what goes to one node leaves in bursts, and what comes
// behind waits for the bytes of others that are queued. Here: at the first cable a pair keeps its grant until so many
// bytes of it have been served since others began to wait, as long as its next packet is there when one ends.

#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {

// Whether a pair queue with packets goes before those that wait: it is in service, or has been until now. What
// travelled express left its grant untold where it has left the network; its service is over then, and so is the grant.
bool keeps_turn(const State& state, std::uint32_t pair_queue, Time now);

// Counts a service that begins. A grant goes on only where others wait and the component was busy until now.
void count_turn(State& state, std::uint32_t pair_queue, Bytes size, Service service, bool others_wait);

}  // namespace plumbline::hw::packets
