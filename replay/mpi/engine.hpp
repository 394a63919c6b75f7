#pragma once
// Messages between ranks: requests, matching, protocols and the schedules of collectives, over the networks of
// hwmodels (network_port.hpp), as plain data. What is done to it: engine_calls.hpp, engine_messages.hpp,
// engine_requests.hpp, engine_collectives.hpp, engine_rendezvous.hpp, engine_wildcards.hpp. Nothing there blocks, and
// nothing allocates once its pools are large enough.
//
// A rank runs ahead of the simulated clock: posting a message needs no event, because the n-th send of a channel
// belongs to its n-th receive whatever the order of the two. It is brought back to the clock (must_synchronise) while
// somebody may need it to react: docs/models/replay-progress.md.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "hwmodels/platform/per_node.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/collectives/collective_plan.hpp"
#include "replay/mpi/matching/wildcards.hpp"
#include "replay/mpi/transfers/channels.hpp"
#include "replay/mpi/transfers/costs.hpp"
#include "replay/mpi/transfers/large_vector.hpp"
#include "replay/mpi/transfers/network_port.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/program/program.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::mpi {

enum class Where : std::uint8_t {
  kOutside,   // of MPI: computes, or is inside a POSIX call
  kInCall,    // at work in an MPI call, now
  kBlocked,   // in an MPI call, for something to happen
  kFinished,  // behind its last operation; still reacts, as inside MPI_Finalize
};

// What every rank has of its own, so it is small: what only some programs need is in tables of the engine that are
// empty in the others.
struct RankState {
  Time clock;                  // up to when its CPU has been used
  Time last_progress;          // up to when it has taken what came: requests that came later are unknown to it
  std::uint32_t pending = 0;   // what the operation in hand still waits for
  std::uint32_t reactive = 0;  // what may yet ask for a reaction of this rank: rendezvous, non-blocking collectives
  std::uint32_t sequence = 0;  // of messages put into the network
  Where where = Where::kOutside;
  bool probes = false;    // waits for a message to be there: probes_ of the rank
  bool receives = false;  // has posted a receive for which nothing has been sent: awaited_ of the rank
  // Of the operation in hand: is over when the messages that it waits for are. Set by who runs it.
  bool only_messages = false;
};
static_assert(sizeof(RankState) == 32);

struct Request {
  enum class State : std::uint8_t { kFree, kPending, kComplete };
  Time at{};                      // complete: since when
  std::uint32_t owner = 0;        // rank; of a collective's step: the collective, or a control message
  std::uint32_t message = kNone;  // while pending; complete: the one that the rank spends its time on when it looks
  std::uint32_t next = kNone;     // in the rank's deferred list, or in the pool
  State state = State::kFree;
  bool waited = false;  // by the operation in hand of its rank
  bool pooled = false;  // goes back to the pool when it is complete
  bool of_step = false;
};
static_assert(sizeof(Request) == 24);

struct Message {
  enum class Stage : std::uint8_t {
    kNotSent,         // only the receive is posted
    kHeld,            // payload under way, arrives at `arrived`; nobody has needed an event for that yet
    kEager,           // payload under way
    kEagerArrived,    // and nobody has posted the receive
    kRequest,         // rendezvous: request to send under way
    kRequestArrived,  // waits for the receive, or for the receiver to be in MPI
    kClear,           // clear to send under way
    kClearArrived,    // waits for the sender to be in MPI
    kData,            // payload under way
    kDataArrived,     // waits for the receiver to be in MPI and copy it
    kDone,            // its receive is complete; kept until the receiver has spent its time on it
  };
  Channel channel{};
  std::uint64_t bytes = 0;
  Time arrived{};
  // kNone: not posted. kHeld, and on LogGP from when the payload has arrived: the sequence of its transfer, because the
  // sender is done with it.
  std::uint32_t send_request = kNone;
  std::uint32_t receive_request = kNone;  // kNone: not posted
  std::uint32_t next = kNone;             // in its channel, or of the free ones
  TransportId transport = 0;
  Stage stage = Stage::kNotSent;
  bool taken : 1 = false;            // kRequestArrived: the receiver knows of it
  bool expected_to_ask : 1 = false;  // counted in the receiver's `reactive`
  bool buffered : 1 = false;         // kData on: its sender has been free since what is left of it fits the buffer
};
static_assert(sizeof(Message) == 48);

// A posted receive, the first of its channel, that who sends finds by the rank: it has no message until then.
struct Awaited {
  Channel channel;
  std::uint32_t request = kNone;
};

// What a receive from any rank takes from.
struct AnyChannel {
  std::uint32_t receiver = 0, comm = 0;
  std::int32_t tag = 0;
};

// How Channels gets at messages.
struct MessageLinks {
  LargeVector<Message>& messages;

  const Channel& channel(std::uint32_t message) const { return messages[message].channel; }
  std::uint32_t& next(std::uint32_t message) const { return messages[message].next; }
};

// The communicator numbers of internal messages; users' are below 2^29. kInnerSpace: those that were recorded inside of
// calls, by context.
inline constexpr std::uint32_t kInnerSpace = 1U << 29;
inline constexpr std::uint32_t kCollectiveSpace = 1U << 31;
inline constexpr std::uint32_t kFileSpace = 1U << 30;
inline constexpr std::uint32_t kNeighbourSpace = kCollectiveSpace | kFileSpace;
inline constexpr std::uint32_t kWindowSpace = kCollectiveSpace | kInnerSpace;  // by window

namespace rma {
struct Windows;
}

// In Request::owner of a step: no collective, but a control message (windows.hpp) of this number.
inline constexpr std::uint32_t kControlMessage = 1U << 31;
constexpr bool is_control_message(std::uint32_t owner) { return (owner & kControlMessage) != 0; }

// A collective under way, on one rank.
struct CollectiveState {
  std::uint32_t rank = 0;   // world
  std::uint32_t comm = 0;   // real one; peers are ranks of it
  std::uint32_t space = 0;  // kCollectiveSpace, kFileSpace or kNeighbourSpace
  std::uint32_t sequence = 0;
  std::uint32_t index = 0;        // of the next round
  std::uint32_t pending = 0;      // requests of this one
  Duration combining;             // CPU time for what this round receives
  std::uint32_t request = kNone;  // to complete; kNone: the rank waits
  std::uint32_t next_free = kNone;
  bool advancing = false;  // is posting a round
  bool starting = false;   // non-blocking: in the call that starts it
  collectives::Shape shape;
};

// What a thread of the library does for a rank that is outside of MPI.
struct LibraryThread {
  Time clock;  // up to when it has used the CPU
  Duration stolen;
};

// The event at which a rank would go on that is ahead of it.
struct Ahead {
  Time at{std::numeric_limits<std::int64_t>::min()};
  std::uint32_t source = 0, sequence = 0;

  auto operator<=>(const Ahead&) const = default;
};

// Requests that wait for a rank to be in MPI.
struct Deferred {
  std::uint32_t head = kNone, tail = kNone;
};

// A call that was observed to last longer than it does in the model; what comes while that keeps the CPU waits for
// it. A rank ahead of the clock has begun it later than now.
struct Stay {
  Time begin, until{std::numeric_limits<std::int64_t>::min()};
  Time busy;  // up to when the CPU has been used by the call and then for others
};

// Added to a rank that has caught up, in place of a message in an event.
inline constexpr std::uint32_t kCaughtUp = 1U << 31;

struct Engine {
  // `node_of_rank`: outlives this. `has_synchronous_sends`: whether the program has any.
  Engine(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> node_of_rank,
         bool has_synchronous_sends, const Noise& noise, sim::EventQueue& queue, hw::NetworkOptions options = {},
         const hw::SamplingOptions& sampling = {});

  // Of ranks that have collectives only.
  Engine(const hw::Platform& platform, std::span<const std::uint32_t> node_of_rank, const Noise& noise,
         sim::EventQueue& queue);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  RankState& rank(std::uint32_t rank) { return ranks[rank]; }
  const RankState& rank(std::uint32_t rank) const { return ranks[rank]; }
  std::uint32_t node(std::uint32_t rank) const { return nodes[rank]; }

  std::uint32_t request_of_slot(std::uint32_t rank, std::uint32_t slot) const { return first_request[rank] + slot; }
  std::uint32_t blocking_send(std::uint32_t rank) const { return first_request[rank + 1] - 2; }
  std::uint32_t blocking_receive(std::uint32_t rank) const { return first_request[rank + 1] - 1; }

  bool is_ahead(std::uint32_t rank) const { return !ahead.empty() && ahead[rank].at > port.now(); }
  // Of a rank outside of MPI.
  bool is_staying(std::uint32_t rank, Time now) const {
    return !stays.empty() && stays[rank].begin <= now && now <= stays[rank].until;
  }
  // Whether a call must begin at the simulated time: somebody may ask the rank to react.
  bool must_synchronise(std::uint32_t rank) const { return ranks[rank].reactive > 0; }
  bool may_be_rendezvous(std::uint64_t bytes) const { return synchronous_sends || bytes > costs.always_eager(); }
  // Whether it matters in which order a rank takes messages that are there.
  bool order_matters() const { return port.knows_arrivals(); }

  std::uint32_t components() const { return port.components(); }
  PacketNetwork* packet_network() { return port.packet_network(); }
  MessageLinks links() { return {messages}; }

  Costs costs;
  NetworkPort port;
  bool synchronous_sends;

  const std::span<const std::uint32_t> nodes;  // of each rank
  std::vector<RankState> ranks;

  std::vector<Stay> stays;                   // by rank; empty before the first one
  std::vector<Deferred> deferred;            // by rank; empty before the first one
  std::vector<Ahead> ahead;                  // by rank; empty unless ranks go ahead
  std::vector<LibraryThread> threads;        // by rank; empty when no transport has them
  std::vector<Channel> probes;               // per rank, while RankState::probes; empty before the first one
  std::vector<Awaited> awaited;              // per rank, while RankState::receives; empty before the first one
  std::vector<std::uint32_t> first_request;  // per rank: its slots, then two for blocking calls
  LargeVector<Request> requests;             // those, then the pool
  LargeVector<Message> messages;
  std::vector<CollectiveState> collectives;
  std::vector<std::uint32_t> blocking_collectives;      // by rank: of blocking collectives; empty before the first one
  std::vector<std::span<const std::uint32_t>> members;  // of the communicator of each collective
  hw::PerNode<BytesPerSecond> memory_rates;
  collectives::Expansion expansion;
  collectives::schedules::Round round;  // scratch of advance()
  std::vector<std::uint32_t> posted;    // likewise: requests of the round
  std::vector<std::uint32_t> held;      // stand for non-blocking collectives that go on in a later call
  Channels channels;
  std::unique_ptr<Wildcards> wildcards;
  std::uint32_t free_messages = kNone, free_requests = kNone, free_collectives = kNone;
  std::uint64_t messages_sent = 0;
  std::vector<std::uint32_t> arrived;  // scratch of handle()
  // Blocked ranks whose operation in hand waits for nothing more; who takes them empties it.
  std::vector<std::uint32_t> ready;
  rma::Windows* windows = nullptr;  // who takes control messages; null: nobody has windows
};

}  // namespace plumbline::replay::mpi
