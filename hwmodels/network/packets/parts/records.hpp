#pragma once
// The records that the state of the store-and-forward network is made of, as plain data. Indices into its tables take
// the place of pointers.

#include <cstdint>
#include <limits>

#include "base/units.hpp"

namespace plumbline::hw::packets {

constexpr std::uint32_t kNone = 0xffff'ffff;
constexpr std::uint32_t kMostPackets = 0x7fff'ffff;  // of one message

// How a component finds what it serves next. All ways give the same times.
enum class Grants : std::uint8_t {
  kDecided,  // it decides when it is idle
  kGranted,  // a pair queue knows its grant as soon as it waits: nothing overtakes it, and nothing holds the component;
             // but it decides while a packet of no bytes waits, which has no time of its own
  kPreGranted,  // also while its packet is still on the way: all packets come from one component, one behind the other
};

// A component. It is idle when idle_at has come.
struct alignas(64) ComponentState {
  Time idle_at;  // when the service in hand ends, or the last one ended; or the last one that has its grant
  Duration busy_time;
  Bytes served;
  Duration latency;
  std::uint32_t grant = kNone, grant_tail = kNone;  // list of the pair queues that wait for service
  std::uint32_t returning = kNone;  // pair queue that goes to the end of the list when the service in hand ends
  bool wakes = false;               // at idle_at a signal comes
  bool touched = false;             // is to decide in this round
  bool newcomer = false;            // a pair queue has joined the list in this round
  bool noted = false;               // where the network is watched: in UseState::used
  Grants grants = Grants::kDecided;
  std::uint32_t held = 0;           // by so many nodes, or while it tells of a packet: begins no service
  std::uint32_t without_grant = 0;  // kPreGranted: packets that wait or are on the way, and have no grant yet
};
static_assert(sizeof(ComponentState) == 64);

// For the express path: pairs with messages under way, and some that had, whose routes come to a component, and their
// numbers, XORed: the number of the only one when there is one. Apart from the components, because they change with
// each message on its whole way.
struct Users {
  std::uint32_t count = 0, only = 0;
};

// What one component knows of one pair of nodes. The pair queues of a pair lie side by side in the order of its route.
struct alignas(64) PairQueue {
  static constexpr Time kNever{std::numeric_limits<std::int64_t>::max()};
  static constexpr Time kLongAgo{std::numeric_limits<std::int64_t>::min()};

  Duration used;    // service time of packets that have had or been given their grant, and that the next pair queue has
                    // not taken yet
  Duration window;  // of which so much blocks
  Time grant = kLongAgo;        // in round 0 of which the last grant given comes; kNever: in the list of the server
  Duration owed;                // with that grant the pair queue before has so much of its window back
  std::uint32_t under_way = 0;  // packets that are in `used`
  std::uint32_t component = 0;
  std::uint32_t pair = 0;
  std::uint32_t head = kNone, tail = kNone;  // waiting packets
  // In the list of the server the next one; else the packet that has been given the grant, until that comes.
  std::uint32_t next_waiting = kNone;
  std::uint32_t rate = 0;                    // index of the service times
  bool first : 1 = false, last : 1 = false;  // of the route
  bool ends_service : 1 = false;             // the packet in service reaches its next place when the service ends
  bool queues : 1 = false;                   // keeps its grant for the bytes of a send queue
  bool whole : 1 = false;                    // the whole route, of a component that is in no other and gives grants
  // No bit fields: a flag that is written and a word with it that is read soon after would wait for each other.
  bool candidate = false;  // may have to join the list of the server in this round
  bool fresh = false;      // a packet has arrived in this round
  bool noted = false;      // where the network is watched: in UseState::waited_in

  bool is_blocked() const { return under_way > 0 && used >= window; }
};
static_assert(sizeof(PairQueue) == 64);

// What is between the state of a pair queue, which knows of grants to come, and that of a moment before.
struct PairQueueUse {
  Duration used;               // more in the window
  std::int32_t under_way = 0;  // likewise
  std::uint32_t waiting = 0;   // packets
  bool is_listed = false;      // among the pair queues of the moment
};

// The grant at a first cable where nodes have send queues.
struct QueueTurn {
  std::uint32_t pair_queue = kNone;  // that was served last, if it queues
  Bytes left;                        // that it may be served before the others
  Time busy_until;                   // the end of that service
};

struct Service {
  Time begin, end;
};

struct Packet {
  Bytes size;                // with header
  Duration service;          // in the last pair queue that took it
  std::uint32_t message;     // index
  std::uint32_t pair_queue;  // that holds it or serves it; from where it is under way. Express: where it came
  std::uint32_t next;        // in the pair queue's list, or in the free list. Express: which signals are to come
  std::uint32_t number : 31;
  std::uint32_t last : 1;
};
static_assert(sizeof(Packet) == 32);

struct Message {
  Bytes left;       // not yet in packets
  Bytes available;  // of what is left
  std::uint32_t id = 0;
  std::uint32_t source_rank = 0, sequence = 0;
  std::uint32_t pair = 0;
  std::uint32_t packets = 0;      // made
  std::uint32_t next = kNone;     // that begins by the same signal; or of the free ones
  std::uint32_t buffers = kNone;  // packet that what is behind fits the buffer
  bool piecewise = false;
  bool starved = false;  // the next packet waits for provide()
  bool begun = false;
  bool barred = false;  // from the express path
  bool tells_sent = true;
  bool fits_buffer = false;  // and this is to be notified
  bool is_long = false;      // worth that others leave its way

  std::uint64_t order() const { return static_cast<std::uint64_t>(source_rank) << 32 | sequence; }
};

struct Pair {
  std::uint32_t source_node = 0, target_node = 0;
  std::uint32_t first = 0, hops = 0;  // pair queues
  std::uint32_t messages = 0;         // under way
  // Hops are counted from 0 to `hops`.
  std::uint32_t alone_from = 0;    // from here on no other pair with messages under way uses the components
  std::uint32_t express_from = 0;  // from here on packets are in the flow, and in no pair queue
  std::uint32_t flow = kNone;      // index, when express_from < hops
  std::uint32_t barred = 0;        // messages that may not travel express
  std::uint32_t beginning = 0;     // messages that begin in this round
  Time delivers;          // where grants are given at the target: when the last packet that it has taken leaves it
  bool stale = false;     // alone_from is to be found anew
  bool has_ends = false;  // its ends are known as those of its nodes
  bool stays_registered = false;  // has no message under way, but is still a user of its components
  bool listed = false;            // in ExpressState::stay_registered
};

}  // namespace plumbline::hw::packets
