#pragma once
// The store-and-forward network: messages are cut into packets; each component serves one packet at a time, round robin
// over the pairs of nodes that have packets waiting; a pair may have a bounded amount of service time on its way to the
// next component (its window), so that nothing is lost and no pair stops another. Formulas:
// docs/models/network-store-and-forward.md; the order of what happens at one time: docs/models/time-and-order.md; how
// it is made fast: docs/internals/store-and-forward.md.

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/network/packets/express_flow.hpp"
#include "hwmodels/network/packets/granted_services.hpp"
#include "hwmodels/network/packets/pair_table.hpp"
#include "hwmodels/network/packets/parts.hpp"
#include "hwmodels/network/packets/service_times.hpp"
#include "hwmodels/topology/topology.hpp"
#include "hwmodels/usage/component_use.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::hw {

struct Notification {
  enum class Kind : std::uint8_t {
    kSent,       // the last packet begins its service in the first component of the route
    kDelivered,  // the last packet has left the last component of the route
    // Of piecewise messages only, before those above:
    kPacketTaken,      // a packet begins its service in the first component
    kPacketDelivered,  // a packet has left the last component
    // Where SendOptions::buffer is not 0: no more of the payload is still to begin service in the first component.
    kBuffered,
  };
  Kind kind = Kind::kSent;
  std::uint32_t message = 0;
  Bytes bytes;  // payload of the packet

  bool operator==(const Notification&) const = default;
};

struct SendOptions {
  bool piecewise = false;  // each packet is notified
  // Of the payload at the beginning, the rest by provide(); absent: all of it.
  std::optional<Bytes> available = std::nullopt;
  bool tells_sent = true;  // kSent is notified
  Bytes buffer = {};       // kBuffered is notified; 0: not
};

struct NetworkOptions {
  bool express = true;  // advance what is alone on its way in one go; the times are the same
  // Nodes may be held, and messages sent by parts or notified by packet. Else the ends of routes give grants too.
  bool holds = true;
  bool watched = false;  // StoreAndForward::uses() will be asked for
};

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

  std::uint32_t messages_under_way() const { return messages_under_way_; }
  std::uint64_t services() const { return services_; }  // packets served, counted in every component

  // The time that a component has been serving, and the bytes that it has taken into service. What has been granted
  // counts: exact when no message is under way.
  Duration busy(ComponentId component) const { return servers_[component].busy_time; }
  Bytes served(ComponentId component) const { return servers_[component].served; }

  // What components have done before `now`, when all that is due before `now` has been handled and nothing that is due
  // then: of all that have done anything since the last call. Packets of pairs that are not blocked wait. Valid until
  // the next call; NetworkOptions::watched.
  std::span<const ComponentSample> uses(Time now);

 private:
  using ComponentState = packets::ComponentState;
  using PairQueue = packets::PairQueue;
  using Packet = packets::Packet;
  using Message = packets::Message;
  using Pair = packets::Pair;
  static constexpr std::uint32_t kNone = packets::kNone;

  // What a signal says, above the index of what it says it of.
  enum SignalKind : std::uint32_t {
    kLeaves = 0U << 28,  // packet: reaches the next pair queue, or its target
    kWakes = 1U << 28,   // component
    kMakes = 2U << 28,   // message: its next packet is to be made
    kGoesOn = 3U << 28,  // 0: what the last round released; else 1 + component, which has told of a packet
    // Of packets on the express path:
    kReleases = 4U << 28,   // where it came from has its window back
    kSends = 5U << 28,      // begins service in the first hop, of which somebody is to be told
    kContinues = 6U << 28,  // begins service in the first hop, the source may make more packets
    kFinishes = 7U << 28,   // has left the last hop, the last one of its message
    // Of grants that were given before they came:
    kOpens = 8U << 28,    // pair queue: the next one has taken a packet
    kReturns = 9U << 28,  // pair queue: has been served, and more packets wait
    kBegins = 10U << 28,  // packet: begins its service in the first pair queue
  };
  static constexpr std::uint32_t kKindShift = 28, kIndexMask = (1U << kKindShift) - 1;

  struct Release {
    std::uint32_t pair_queue;
    Duration service;
  };
  struct Note {
    std::uint64_t order;
    std::uint32_t place;  // among the notes of one message
    Notification notification;
  };
  struct Round {
    Time at;
    std::uint32_t number;
    sim::EventQueue& queue;
  };

  std::uint32_t pair_between(std::uint32_t source_node, std::uint32_t target_node);
  void add_end(std::uint32_t node, std::uint32_t component, const Round& round);
  void hold_component(std::uint32_t component, const Round& round);
  bool let_go(std::uint32_t component);
  void tell(std::uint32_t component, const Round& round);
  std::uint32_t new_message();
  void begin_with_others(std::uint32_t message, Instant begin, sim::EventQueue& queue);
  bool next_is_available(const Message& message) const;
  std::uint32_t packet_slot();
  std::uint32_t new_packet(std::uint32_t message);
  void end_message(std::uint32_t message);
  void free_packet(std::uint32_t packet);
  Bytes payload(const Packet& packet) const;
  Duration service_time(const PairQueue& pair_queue, Bytes size) { return service_times_[pair_queue.rate].of(size); }
  std::uint32_t rate_index(BytesPerSecond rate);
  void push(const Round& round, Time at, std::uint32_t signal);

  bool is_one_passage(const Round& round);

  // Updates of a round; they commute.
  void update_all(const Round& round);
  void begin_messages(const Round& round);
  void begin_all(std::uint32_t message, const Round& round);
  void begin_message(std::uint32_t message, const Round& round);
  void update(const Round& round, std::uint32_t signal);
  void leave(std::uint32_t packet, const Round& round);
  void end_service(std::uint32_t component, Time at);
  void make_all(std::uint32_t message, const Round& round);
  void make(std::uint32_t message, const Round& round);
  void consume(std::uint32_t packet, const Round& round);
  void arrive(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  void wait(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  void append(std::uint32_t packet, PairQueue& pair_queue);
  void be_candidate(std::uint32_t pair_queue);
  void touch(std::uint32_t component);

  // Then all that are to wait take their places, by content.
  void take_back_fresh(PairQueue& pair_queue);
  void append_tied();
  void admit(const Round& round);
  bool is_admitted(std::uint32_t pair_queue, const Round& round);
  void enter(std::uint32_t pair_queue, const Round& round);
  void order_newcomers();
  void join(std::uint32_t pair_queue, ComponentState& server, Time now);
  void be_woken(std::uint32_t component, const Round& round);

  // Of nodes with send queues: queue.cpp.
  bool has_send_queues() const { return !queue_turns_.empty(); }
  void make_send_queues();
  bool keeps_turn(std::uint32_t pair_queue, Time now) const;
  void count_turn(std::uint32_t pair_queue, Bytes size, packets::Service service, bool others_wait);

  // Then every component that was touched decides, and what this releases is left to the next round.
  void decide_all(const Round& round);
  void give_windows_back();
  void decide(std::uint32_t component, const Round& round);
  void serve(std::uint32_t pair_queue, std::uint32_t packet, Time begin, Time arrival);
  void begin_at_source(std::uint32_t packet, const Round& round);
  void begin_given(std::uint32_t packet, const Round& round);
  bool pass_on(std::uint32_t packet, std::uint32_t pair_queue, Time at, const Round& round);
  void release(const Release& release);
  static bool is_told(const Packet& packet, const Message& message);
  void note_begin(const Packet& packet);
  void note(Notification::Kind kind, const Message& message, Bytes bytes);
  void give_notes(std::vector<Notification>& out);

  // Grants that are given before they come: grants.cpp.
  static bool is_queued(const PairQueue& pair_queue, const Round& round);
  static bool is_empty(const Packet& packet) { return packet.size.count == 0; }
  static bool grants_service(const ComponentState& server);
  static bool may_be_granted(const PairQueue& pair_queue, const Round& round);
  void grant_service(std::uint32_t pair_queue, Time begin, bool at_once, const Round& round);
  bool grants_next(std::uint32_t pair_queue, const Round& round);
  void begin_listed(std::uint32_t pair_queue, const Round& round);
  void grant_behind(std::uint32_t component, const Round& round);
  Time begin_granted(std::uint32_t packet, std::uint32_t pair_queue, Time begin, Time arrival, bool at_once,
                     const Round& round);
  void announce_begin(std::uint32_t packet, Time begin, bool at_once, const Round& round);
  bool begins_granted(std::uint32_t pair_queue, const Round& round);
  bool passes(std::uint32_t packet, std::uint32_t from, const Round& round);
  bool knows_two_grants(std::uint32_t pair_queue, const Round& round);
  void take_two(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  void take_alone(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  bool comes_ahead(std::uint32_t pair_queue, const Round& round);
  void open(std::uint32_t pair_queue, const Round& round);
  void open_target(std::uint32_t pair_queue, const Round& round);
  void watch_window(std::uint32_t pair_queue, const Round& round);
  void watch_next(std::uint32_t pair_queue, const Round& round);
  void settle(std::uint32_t pair_queue, const Round& round);
  void count_without_grant(std::uint32_t pair_queue, int more);

  // The express path: express.cpp. What is alone on the rest of its route goes through it at once.
  void make_way(const Message& message, const Round& round);
  void end_of_beginnings();
  void use_components(std::uint32_t pair, const Round& round);
  void leave_components(std::uint32_t pair);
  void stay_registered(std::uint32_t pair);
  void unregister_idle();
  bool has_one_user(std::uint32_t pair_queue) const { return users_[components_[pair_queue]].count == 1; }
  void find_alone(Pair& pair);
  void keep_to_what_is_alone(Pair& pair, const Round& round);
  bool takes_express(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  bool is_empty(const Pair& pair, std::uint32_t from, std::uint32_t to, const Round& round);
  void go_express(std::uint32_t packet, std::uint32_t pair_queue, const Round& round);
  void pass(Pair& pair, std::uint32_t packet, ExpressPacket express, const Round& round);
  void announce(std::uint32_t packet, std::uint32_t kind, Instant at, const Round& round);
  void make_ahead(Pair& pair, const Round& round);
  bool is_cancelled(std::uint32_t packet, std::uint32_t kind);
  void update_express(const Round& round, std::uint32_t kind, std::uint32_t packet);
  void retire(Pair& pair, Time now);
  void finish(std::uint32_t packet);
  void give_back(Pair& pair);

  // Use, where the network is watched. The rest: use.cpp.
  class UseReader;
  void note_use(std::uint32_t component);
  void note_waiting(std::uint32_t pair_queue);

  // Gives the packets of the flow to the pair queues, as they would have them before the decisions of `round`.
  void fall_back_to_packets(Pair& pair, const Round& round);
  void clear_components(Pair& pair, const Round& round);
  void place(Pair& pair, std::size_t i, const Round& round);
  void place_waiting(Pair& pair, std::size_t i, std::uint32_t packet, const Round& round);
  void place_taken(Pair& pair, std::size_t i, std::uint32_t hop, std::uint32_t packet, const Round& round);
  void take_grant(Pair& pair, std::uint32_t hop, const Round& round);
  void take_place(std::uint32_t pair_queue, const Round& round);
  void come_back(std::uint32_t pair_queue, const Round& round);
  void wake(std::uint32_t component, const Round& round);
  std::uint32_t renew(std::uint32_t packet);
  void emit(const Round& round, Time at, std::uint32_t signal);

  Topology& topology_;
  Packets sizes_;
  NetworkOptions options_;
  std::vector<ComponentState> servers_;
  std::vector<PairQueue> pair_queues_;
  std::vector<packets::QueueTurn> queue_turns_;             // by component; none where nodes have no send queues
  std::vector<packets::Users> users_;                       // of each component
  std::vector<std::uint32_t> components_;                   // of each pair queue, side by side
  std::vector<ServiceTimes> service_times_;                 // of each rate
  std::unordered_map<std::uint64_t, std::uint32_t> rates_;  // index of each rate; never iterated
  std::vector<Pair> pairs_;
  PairTable pair_of_;
  std::vector<Packet> packets_;
  std::vector<Message> messages_;
  std::vector<std::vector<std::uint32_t>> ends_;  // per node: components that are ends of its routes
  std::vector<bool> held_;                        // per node
  std::uint32_t free_packets_ = kNone, free_messages_ = kNone;
  std::uint32_t newest_ = kNone;  // message that was sent last
  Instant newest_begin_;
  std::uint32_t messages_under_way_ = 0;
  std::uint64_t services_ = 0;

  // Of one round, but kept for their memory.
  std::vector<std::uint32_t> candidates_;  // pair queues; those that the last round released stay for the next one
  std::vector<std::uint32_t> touched_;     // components
  std::vector<std::uint32_t> tied_;        // packets that arrived at one pair queue in one round
  std::vector<std::uint32_t> newcomers_;   // pair queues, to the lists of their servers
  std::vector<Release> releases_;
  std::vector<Note> notes_;
  std::vector<std::uint32_t> emitted_;    // signals for this round, from fall_back_to_packets()
  std::vector<std::uint32_t> beginning_;  // messages
  std::vector<std::uint32_t> begun_;      // packets that begin in the first pair queue by a grant that was given

  // Where the network is watched.
  GrantedServices granted_;
  std::vector<std::uint32_t> waited_in_;       // pair queues in which packets may wait, each once
  std::vector<std::uint32_t> used_;            // components that do something, or have since the last uses(), each once
  std::vector<packets::PairQueueUse> passed_;  // by pair queue, for uses()
  std::vector<ComponentUse> uses_;             // by component, likewise
  std::vector<ComponentSample> samples_;

  std::vector<ExpressFlow> flows_;
  std::vector<std::uint32_t> free_flows_;
  std::vector<Duration> latencies_;             // scratch of go_express()
  std::vector<std::uint32_t> disturbed_;        // pairs, scratch of use_components()
  std::vector<std::uint32_t> stay_registered_;  // pairs that stay registered, or have since this was emptied last
  std::uint32_t idle_registered_ = 0;           // pairs that do
  std::uint32_t long_messages_ = 0;             // under way
  sim::EventQueue* queue_ = nullptr;            // for hold()
  bool in_round_ = false;                       // inside of handle()
  bool nothing_else_ = false;                   // than the packet in hand happens in its round
};

}  // namespace plumbline::hw
