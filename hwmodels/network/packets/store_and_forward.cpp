#include "hwmodels/network/packets/store_and_forward.hpp"

#include "hwmodels/network/packets/holds.hpp"
#include "hwmodels/network/packets/messages.hpp"
#include "hwmodels/network/packets/rounds.hpp"
#include "hwmodels/network/packets/use.hpp"

namespace plumbline::hw {

StoreAndForward::StoreAndForward(Topology& topology, const Packets& packets, NetworkOptions options)
    : state_(topology, packets, options) {}

StoreAndForward::Handle StoreAndForward::send(std::uint32_t message, std::uint32_t source_node,
                                              std::uint32_t target_node, Bytes size, std::uint32_t source_rank,
                                              std::uint32_t sequence, Time now, sim::EventQueue& queue,
                                              const SendOptions& options) {
  return packets::send(state_, message, source_node, target_node, size, source_rank, sequence, now, queue, options);
}

void StoreAndForward::provide(Handle message, Bytes more, Time now, sim::EventQueue& queue) {
  packets::provide(state_, message, more, now, queue);
}

void StoreAndForward::hold(std::uint32_t node) { packets::hold(state_, node); }

void StoreAndForward::resume(std::uint32_t node, Time now, sim::EventQueue& queue) {
  packets::resume(state_, node, now, queue);
}

void StoreAndForward::handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out) {
  packets::handle(state_, event, queue, out);
}

std::span<const ComponentSample> StoreAndForward::uses(Time now) { return packets::uses(state_, now); }

}  // namespace plumbline::hw
