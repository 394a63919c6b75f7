#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw::packets {
namespace {

// `with_empty`: there may be packets of no bytes. One that is served right behind another reaches the next component
// together with it where that is a latency away, and content orders the two; else it comes a round later.
Grants grants_of(Feed feed, bool holds, bool with_empty) {
  switch (feed) {
    case Feed::kEnd:
    case Feed::kWhole:
      return holds ? Grants::kDecided : Grants::kGranted;
    case Feed::kMany:
      return Grants::kGranted;
    case Feed::kOneLater:
      return with_empty ? Grants::kGranted : Grants::kPreGranted;
    case Feed::kOne:
      break;
  }
  return Grants::kPreGranted;
}

// With send queues (send_queues.hpp) first cables of nodes keep grants. A grant that is kept is not first in, first
// out: there the component decides.
void make_send_queues(State& state) {
  state.queue_turns.resize(state.servers.size());
  for (std::uint32_t id = 0; id < state.servers.size(); ++id)
    if (state.topology.leaves_node(id)) state.servers[id].grants = Grants::kDecided;
}

}  // namespace

State::State(Topology& of_topology, const Packets& of_packets, const NetworkOptions& as_asked)
    : topology(of_topology),
      sizes(of_packets),
      options(as_asked),
      servers(topology.components().size()),
      users(servers.size()) {
  PLUMBLINE_CHECK(sizes.granularity.count > 0, "a packet has room for payload");
  PLUMBLINE_CHECK(servers.size() <= kIndexMask, "a network of more than 2^28 components");
  const bool with_empty = sizes.header.count == 0;
  for (std::uint32_t id = 0; id < servers.size(); ++id) {
    servers[id].latency = topology.components()[id].latency;
    if (options.express) servers[id].grants = grants_of(topology.feed(id), options.holds, with_empty);
  }
  if (sizes.send_queue.value > sizes.granularity) make_send_queues(*this);
}

}  // namespace plumbline::hw::packets
