#pragma once
// The state of one store-and-forward network, as plain data. What the rules do to it: rounds.hpp, waiting.hpp,
// decisions.hpp; what makes them fast: grants.hpp, express.hpp.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/network/packets/notification.hpp"
#include "hwmodels/network/packets/parts/express_flow.hpp"
#include "hwmodels/network/packets/parts/granted_services.hpp"
#include "hwmodels/network/packets/parts/pair_table.hpp"
#include "hwmodels/network/packets/parts/records.hpp"
#include "hwmodels/network/packets/parts/service_times.hpp"
#include "hwmodels/topology/topology.hpp"
#include "hwmodels/usage/component_use.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::hw::packets {

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
inline constexpr std::uint32_t kKindShift = 28, kIndexMask = (1U << kKindShift) - 1;

// The service time of a packet that leaves the window of a pair queue.
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

// What one round leaves to do; empty between two of them, and kept for its memory.
struct Work {
  std::vector<std::uint32_t> candidates;  // pair queues; those that the last round released stay for the next one
  std::vector<std::uint32_t> touched;     // components
  std::vector<std::uint32_t> tied;        // packets that arrived at one pair queue in one round
  std::vector<std::uint32_t> newcomers;   // pair queues, to the lists of their servers
  std::vector<Release> releases;
  std::vector<Note> notes;
  std::vector<std::uint32_t> emitted;    // signals for this round, from fall_back_to_packets()
  std::vector<std::uint32_t> beginning;  // messages
  std::vector<std::uint32_t> begun;      // packets that begin in the first pair queue by a grant that was given
  bool in_round = false;                 // inside of handle()
  bool nothing_else = false;             // than the packet in hand happens in its round
};

struct Holds {
  std::vector<std::vector<std::uint32_t>> ends;  // per node: components that are ends of its routes
  std::vector<bool> held;                        // per node
};

struct ExpressState {
  std::vector<ExpressFlow> flows;
  std::vector<std::uint32_t> free_flows;
  std::vector<Duration> latencies;             // scratch of go_express()
  std::vector<std::uint32_t> disturbed;        // pairs, scratch of use_components()
  std::vector<std::uint32_t> stay_registered;  // pairs that stay registered, or have since this was emptied last
  std::uint32_t idle_registered = 0;           // pairs that do
  std::uint32_t long_messages = 0;             // under way
};

// Where the network is watched.
struct UseState {
  GrantedServices granted;
  std::vector<std::uint32_t> waited_in;  // pair queues in which packets may wait, each once
  std::vector<std::uint32_t> used;       // components that do something, or have since the last uses(), each once
  std::vector<PairQueueUse> passed;      // by pair queue, for uses()
  std::vector<ComponentUse> uses;        // by component, likewise
  std::vector<ComponentSample> samples;
};

struct State {
  // Components, and how each gives its grants.
  State(Topology& topology, const Packets& sizes, const NetworkOptions& options);

  Topology& topology;
  Packets sizes;
  NetworkOptions options;

  std::vector<ComponentState> servers;
  std::vector<PairQueue> pair_queues;
  std::vector<QueueTurn> queue_turns;                      // by component; none where nodes have no send queues
  std::vector<Users> users;                                // of each component
  std::vector<std::uint32_t> components;                   // of each pair queue, side by side
  std::vector<ServiceTimes> service_times;                 // of each rate
  std::unordered_map<std::uint64_t, std::uint32_t> rates;  // index of each rate; never iterated
  std::vector<Pair> pairs;
  PairTable pair_of;
  std::vector<Packet> packets;
  std::vector<Message> messages;
  std::uint32_t free_packets = kNone, free_messages = kNone;  // the first ones, see `next` of both
  std::uint32_t newest = kNone;                               // message that was sent last
  Instant newest_begin;
  std::uint32_t messages_under_way = 0;
  std::uint64_t services = 0;

  Work work;
  Holds holds;
  UseState use;
  ExpressState express;
  sim::EventQueue* queue = nullptr;  // of the last message, for hold()
};

inline Duration service_time(State& state, const PairQueue& pair_queue, Bytes size) {
  return state.service_times[pair_queue.rate].of(size);
}

inline bool is_empty(const Packet& packet) { return packet.size.count == 0; }

inline bool has_send_queues(const State& state) { return !state.queue_turns.empty(); }

inline bool has_one_user(const State& state, std::uint32_t pair_queue) {
  return state.users[state.components[pair_queue]].count == 1;
}

}  // namespace plumbline::hw::packets
