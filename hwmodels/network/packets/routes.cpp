#include "hwmodels/network/packets/routes.hpp"

namespace plumbline::hw::packets {
namespace {

std::uint32_t rate_index(State& state, BytesPerSecond rate) {
  const auto [known, is_new] = state.rates.emplace(rate.count, static_cast<std::uint32_t>(state.service_times.size()));
  if (is_new) state.service_times.emplace_back(rate);
  return known->second;
}

}  // namespace

std::uint32_t pair_between(State& state, std::uint32_t source_node, std::uint32_t target_node) {
  const std::uint32_t known = state.pair_of.find(source_node, target_node);
  if (known != PairTable::kUnknown) return known;
  const std::uint32_t index = static_cast<std::uint32_t>(state.pairs.size());
  Pair pair;
  pair.source_node = source_node;
  pair.target_node = target_node;
  pair.first = static_cast<std::uint32_t>(state.pair_queues.size());
  for (const Hop& hop : state.topology.hops(source_node, target_node)) {
    const ComponentState& server = state.servers[hop.component];
    PairQueue& pair_queue = state.pair_queues.emplace_back();
    pair_queue.component = hop.component;
    state.components.push_back(hop.component);
    pair_queue.pair = index;
    pair_queue.rate = rate_index(state, hop.rate);
    pair_queue.window = server.latency + service_time(state, pair_queue, state.sizes.granularity);
    pair_queue.queues = hop.first_cable && has_send_queues(state);
    if (pair_queue.queues) pair_queue.window += service_time(state, pair_queue, state.sizes.granularity);
    pair_queue.ends_service = server.grants == Grants::kDecided && server.latency.ps == 0;
    ++pair.hops;
  }
  pair.express_from = pair.hops;
  state.pair_queues[pair.first].first = true;
  state.pair_queues.back().last = true;
  state.pair_queues.back().ends_service = state.servers[state.pair_queues.back().component].grants == Grants::kDecided;
  state.pair_queues.back().whole =
      !state.pair_queues.back().ends_service && state.topology.feed(state.pair_queues.back().component) == Feed::kWhole;
  PLUMBLINE_CHECK(state.pair_queues.size() <= kIndexMask, "more than 2^28 components in the routes of all pairs");
  state.pairs.push_back(pair);
  state.pair_of.add(source_node, target_node, index);
  return index;
}

}  // namespace plumbline::hw::packets
