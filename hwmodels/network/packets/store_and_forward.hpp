#pragma once
// The store-and-forward network: messages are cut into packets; each component serves one packet at a time, round robin
// over the pairs of nodes that have packets waiting; a pair may have a bounded amount of service time on its way to the
// next component (its window), so that nothing is lost and no pair stops another. Formulas:
// docs/models/network-store-and-forward.md; the order of what happens at one time: docs/models/time-and-order.md; how
// it is made fast: docs/internals/store-and-forward.md.

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/network/packets/notification.hpp"
#include "hwmodels/network/packets/state.hpp"

namespace plumbline::hw {

// Its signals are handed over by events of component 0; whoever shares the queue uses numbers from components().size()
// on.
class StoreAndForward {
 public:
  StoreAndForward(Topology& topology, const Packets& packets, NetworkOptions options = {});

  // Begins a message at `now`. `message` comes back in the notifications and decides nothing. Simultaneous messages are
  // ordered by (source_rank, sequence), a combination that no other message under way may have.
  using Handle = std::uint32_t;  // valid until the message is delivered
  Handle send(std::uint32_t message, std::uint32_t source_node, std::uint32_t target_node, Bytes size,
              std::uint32_t source_rank, std::uint32_t sequence, Time now, sim::EventQueue& queue,
              const SendOptions& options = {});

  // More of the payload is there. The source makes a packet when it is full or all that is left.
  void provide(Handle message, Bytes more, Time now, sim::EventQueue& queue);

  // The interface and the memory of a node (the ends of the routes on which it has sent or been sent a message) begin
  // no service, in or out, until resume(); a service goes on to its end.
  void hold(std::uint32_t node);
  void resume(std::uint32_t node, Time now, sim::EventQueue& queue);

  // Handles what this network pushed for one round; appends what happened at event.at to `out`, ordered by source rank
  // and sequence.
  void handle(const sim::Event& event, sim::EventQueue& queue, std::vector<Notification>& out);

  std::uint32_t messages_under_way() const { return state_.messages_under_way; }
  std::uint64_t services() const { return state_.services; }  // packets served, counted in every component

  // The time that a component has been serving, and the bytes that it has taken into service. What has been granted
  // counts: exact when no message is under way.
  Duration busy(ComponentId component) const { return state_.servers[component].busy_time; }
  Bytes served(ComponentId component) const { return state_.servers[component].served; }

  // What components have done before `now`, when all that is due before `now` has been handled and nothing that is due
  // then: of all that have done anything since the last call. Packets of pairs that are not blocked wait. Valid until
  // the next call; NetworkOptions::watched.
  std::span<const ComponentSample> uses(Time now);

 private:
  packets::State state_;
};

}  // namespace plumbline::hw
