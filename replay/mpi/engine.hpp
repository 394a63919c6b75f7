#pragma once
// Messages between ranks: requests, matching, protocols and the schedules of collectives, over the networks of
// hwmodels (network_port.hpp). Each rank is plain data; nothing here blocks, and nothing allocates once its pools are
// large enough.
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
#include "replay/mpi/transfers/channels.hpp"
#include "replay/mpi/transfers/costs.hpp"
#include "replay/mpi/transfers/large_vector.hpp"
#include "replay/mpi/transfers/network_port.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/mpi/wildcards.hpp"
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

class Windows;

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
  Shape shape;
};

class Engine {
 public:
  // `nodes`: of each rank; they outlive this. `synchronous_sends`: whether the program has any.
  Engine(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> nodes,
         bool synchronous_sends, const Noise& noise, sim::EventQueue& queue, hw::NetworkOptions options = {},
         const hw::SamplingOptions& sampling = {});

  // Of ranks that have collectives only.
  Engine(const hw::Platform& platform, std::span<const std::uint32_t> nodes, const Noise& noise,
         sim::EventQueue& queue);

  RankState& rank(std::uint32_t rank) { return ranks_[rank]; }
  const RankState& rank(std::uint32_t rank) const { return ranks_[rank]; }
  std::uint32_t node(std::uint32_t rank) const { return nodes_[rank]; }

  std::uint32_t request_of_slot(std::uint32_t rank, std::uint32_t slot) const { return first_request_[rank] + slot; }
  std::uint32_t blocking_send(std::uint32_t rank) const { return first_request_[rank + 1] - 2; }
  std::uint32_t blocking_receive(std::uint32_t rank) const { return first_request_[rank + 1] - 1; }
  std::uint32_t pooled_request(std::uint32_t rank);

  // Ahead of the clock, where it is known when messages arrive: a rank that waits for one eager message alone does not
  // wait for the event of its arrival. What it does then that depends on what else has come must wait for the clock:
  // docs/internals/replay.md, "Running ahead".
  void let_ranks_go_ahead() { ahead_.resize(port_.knows_arrivals() && threads_.empty() ? ranks_.size() : 0); }
  bool is_ahead(std::uint32_t rank) const { return !ahead_.empty() && ahead_[rank].at > port_.now(); }
  void catch_up(std::uint32_t rank);  // makes it ready at the place of the event that it did not wait for

  // Of programs that have such receives; then no rank goes ahead.
  void let_ranks_receive_from_any();

  // Whether a call must begin at the simulated time: somebody may ask the rank to react.
  bool must_synchronise(std::uint32_t rank) const { return ranks_[rank].reactive > 0; }
  // CPU time of both ends of a message.
  Duration cpu_time(std::uint32_t rank, std::uint32_t peer, std::uint64_t bytes);

  bool may_be_rendezvous(std::uint64_t bytes) const { return synchronous_sends_ || bytes > costs_.always_eager(); }

  // All at the rank's clock, which they advance by what they cost the CPU. An MPI call enters, posts what it has to
  // post, looks for what has come meanwhile, waits, and leaves: docs/models/replay-progress.md.
  void enter(std::uint32_t rank) { ranks_[rank].where = Where::kInCall; }
  void progress(std::uint32_t rank) {
    progress_until_now(ranks_[rank]);
    if (!deferred_.empty()) do_all_todo(rank);
  }
  void leave(std::uint32_t rank, bool looking) {  // looking: until now; else it has computed since it looked last
    ranks_[rank].where = Where::kOutside;
    if (!held_.empty()) release_held(rank);
    if (looking) progress_until_now(ranks_[rank]);
  }
  // The call that began then and is over in the model, at the rank's clock, was observed to last until `until`: so long
  // the rank reacts to what others ask for.
  void stay(std::uint32_t rank, Time begin, Time until) {
    if (until <= ranks_[rank].clock) return;
    if (stays_.empty()) stays_.resize(ranks_.size());
    stays_[rank] = {begin, until, ranks_[rank].clock};
  }
  void send(std::uint32_t request, const Channel& channel, std::uint64_t bytes, bool synchronous);
  void receive(std::uint32_t request, const Channel& channel, std::uint64_t bytes);
  // At the simulated time. `operation`: of the receiver, to tell what it took.
  void receive_any(std::uint32_t request, const AnyChannel& from, std::uint64_t bytes, std::uint32_t operation);
  void complete_at(std::uint32_t request, std::uint32_t rank, Time at);  // without a message
  void begin_other(std::uint32_t request, std::uint32_t rank);           // likewise; pending until end_other()
  void end_other(std::uint32_t request, Time now);
  void wait(std::uint32_t request);
  // Whether it matters in which order a rank takes messages that are there.
  bool order_matters() const { return port_.knows_arrivals(); }
  void wait(std::span<std::uint32_t> requests);  // in the order in which they arrived; reorders the list
  void probe(std::uint32_t rank, const Channel& channel);

  // Starts a collective; `request` kNone: the operation in hand waits for it. `comm` with its peers, `sequence` counts
  // the collectives of `space` on it.
  void start(std::uint32_t rank, const Shape& shape, const CommView& comm_view, std::uint32_t comm, std::uint32_t space,
             std::uint32_t sequence, std::uint32_t request);

  // Who takes control messages; must outlive this.
  void deliver_to(Windows* windows) { windows_ = windows; }

  // What a thread of the library has used of the CPU while the rank was outside of MPI, since the last question.
  Duration stolen(std::uint32_t rank) {
    return threads_.empty() ? Duration{} : std::exchange(threads_[rank].stolen, Duration{});
  }

  // Events with smaller component numbers are for handle(). It may go on to later ones: then `event` is the last of
  // them.
  std::uint32_t components() const { return port_.components(); }
  void handle(sim::Event& event);

  // Blocked ranks whose operation in hand waits for nothing more; the caller empties it.
  std::vector<std::uint32_t>& ready() { return ready_; }

  std::uint64_t messages() const { return messages_sent_; }
  std::uint64_t unreceived() const;

  // For reports.
  const NetworkPort& port() const { return port_; }
  PacketNetwork* packet_network() { return port_.packet_network(); }
  std::span<const Request> requests_of(std::uint32_t rank) const;
  const Request& request(std::uint32_t id) const { return requests_[id]; }
  std::span<const Request> requests() const { return requests_; }
  std::uint32_t rank_of(const Request& request) const {
    return request.of_step ? rank_of_step(request.owner) : request.owner;
  }
  const Message& message(std::uint32_t id) const { return messages_[id]; }
  Wildcards* wildcards() { return wildcards_.get(); }  // null: no rank receives from any
  const Wildcards* wildcards() const { return wildcards_.get(); }
  const Channel& probed(std::uint32_t rank) const { return probes_[rank]; }
  const Awaited& awaited(std::uint32_t rank) const { return awaited_[rank]; }

 private:
  MessageLinks links() { return {messages_}; }
  static void progress_until_now(RankState& state) { state.last_progress = std::max(state.last_progress, state.clock); }
  void do_all_todo(std::uint32_t rank);
  friend class Windows;

  std::uint32_t new_message(const Channel& channel);
  std::uint32_t message_to_send(const Channel& channel);
  void free_message(std::uint32_t message);
  void inject(std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes, const MessageCost& cost,
              Bytes buffer = {});
  void inject_by_interface(std::uint32_t message, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                           const MessageCost& cost, Time now, Bytes buffer = {});
  void send_eager(std::uint32_t message, const MessageCost& cost);
  void announce(std::uint32_t message, Time arrival, std::uint32_t sequence);
  void release(std::uint32_t message);
  void take_held(std::uint32_t request);
  void take_ahead(std::uint32_t message, Time arrival, std::uint32_t sequence);
  void begin(std::uint32_t request, std::uint32_t message);
  void expect_to_ask(Message& message, bool expected);

  void delivered(std::uint32_t message, Time now, std::uint32_t sequence);
  void data_arrived(std::uint32_t message, Time now, std::uint32_t sequence);
  void copy_data(std::uint32_t message);
  void free_sender(std::uint32_t message, Time now);
  void arrived_first(std::uint32_t message, Time now);
  void match_wildcards(std::uint32_t rank, Time now, bool posting);
  void tell_wildcards_taken(const Channel& channel, std::uint32_t message);
  bool knows_of(const Message& message) const;
  void react(std::uint32_t rank, std::uint32_t request, Time now);
  void react_by_thread(std::uint32_t rank, std::uint32_t request, Time now);
  void do_todo(std::uint32_t request);
  void take_control(std::uint32_t rank, std::uint32_t peer, TransportId transport);
  void clear_to_send(std::uint32_t message, Time now);
  void send_data(std::uint32_t message, Time now);
  void complete_receive(std::uint32_t message, Time at);
  void complete(std::uint32_t request, Time at, hw::Progress progress);
  void free_if_pooled(std::uint32_t request);
  void spend(Request& request);
  void add_todo(std::uint32_t rank, std::uint32_t request);
  void one_less(std::uint32_t rank);

  std::uint32_t new_collective();
  std::uint32_t collective_of(std::uint32_t rank);
  void step_done(std::uint32_t collective);
  std::uint32_t rank_of_step(std::uint32_t owner) const;
  void control_without_cpu(std::uint32_t request, Time at);
  void advance(std::uint32_t collective);
  void hold(std::uint32_t collective);
  void release_held(std::uint32_t rank);
  void post_round(std::uint32_t collective, std::span<const schedules::Transfer> round);
  void take_complete(std::uint32_t request);
  void sort_by_arrival(std::span<std::uint32_t> requests) const;
  void finish(std::uint32_t collective);

  Costs costs_;
  NetworkPort port_;
  bool synchronous_sends_;

  // What a thread of the library does for a rank that is outside of MPI.
  struct Thread {
    Time clock;  // up to when it has used the CPU
    Duration stolen;
  };

  const std::span<const std::uint32_t> nodes_;  // of each rank
  std::vector<RankState> ranks_;

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
  // Of a rank outside of MPI.
  bool is_staying(std::uint32_t rank, Time now) const {
    return !stays_.empty() && stays_[rank].begin <= now && now <= stays_[rank].until;
  }
  void react_in_stay(std::uint32_t rank, std::uint32_t request, Time now);

  std::vector<Stay> stays_;                   // by rank; empty before the first one
  std::vector<Deferred> deferred_;            // by rank; empty before the first one
  std::vector<Ahead> ahead_;                  // by rank; empty unless ranks go ahead
  std::vector<Thread> threads_;               // by rank; empty when no transport has them
  std::vector<Channel> probes_;               // per rank, while RankState::probes; empty before the first one
  std::vector<Awaited> awaited_;              // per rank, while RankState::receives; empty before the first one
  std::vector<std::uint32_t> first_request_;  // per rank: its slots, then two for blocking calls
  LargeVector<Request> requests_;             // those, then the pool
  LargeVector<Message> messages_;
  std::vector<CollectiveState> collectives_;
  std::vector<std::uint32_t> blocking_collectives_;      // by rank: of blocking collectives; empty before the first one
  std::vector<std::span<const std::uint32_t>> members_;  // of the communicator of each collective
  hw::PerNode<BytesPerSecond> memory_rates_;
  Expansion expansion_;
  schedules::Round round_;             // scratch of advance()
  std::vector<std::uint32_t> posted_;  // likewise: requests of the round
  std::vector<std::uint32_t> held_;    // stand for non-blocking collectives that go on in a later call
  Channels channels_;
  std::unique_ptr<Wildcards> wildcards_;
  std::uint32_t free_messages_ = kNone, free_requests_ = kNone, free_collectives_ = kNone;
  std::uint64_t messages_sent_ = 0;
  std::vector<std::uint32_t> arrived_;  // scratch of handle()
  std::vector<std::uint32_t> ready_;
  Windows* windows_ = nullptr;
};

}  // namespace plumbline::replay::mpi
