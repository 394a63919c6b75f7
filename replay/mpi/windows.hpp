#pragma once
// One-sided communication: what ranks do on windows, as messages ("control messages") and as copies in shared memory,
// with what their calls wait for. Rules and sources: docs/models/replay-one-sided.md.
//
// A call is a few steps, one after the other: to wait for something, or to tell somebody something. Control messages
// are taken by nobody's call but by the library, like the rounds of a collective: by a rank that is in MPI, by a
// thread, or, where the interface or shared memory does the work, at once and without a CPU.
//
// Here as plain data. What is done to it: window_calls.hpp, window_control.hpp, window_locks.hpp, window_transfers.hpp.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replay/mpi/engine.hpp"
#include "replay/mpi/matching/communicators.hpp"
#include "replay/mpi/window_rules.hpp"

namespace plumbline::replay::mpi::rma {

enum class Step : std::uint8_t {
  kOver,
  // Conditions.
  kTransferred,      // transfers to the rank of the call, or to all, are complete
  kThisTransferred,  // the one of the call is
  kPosted,           // all of the group started have posted
  kCompleted,        // all of the group posted have completed
  kGranted,          // no lock that the call is about is still asked for
  kNothingAsked,     // no lock at all is
  kAnswered,         // unlocks, flushes and visits are
  kCollected,        // the collective is over
  kArrived,          // all transfers for this rank have been carried out
  // Actions.
  kBeginAccess,
  kTellPosted,
  kTellCompleted,
  kAskLeader,
  kAsk,
  kRelease,
  kFlush,
  kCounts,  // begins to tell everybody how many transfers are for him
  kBarrier,
};
using Steps = std::array<Step, 8>;

struct Call {
  const Operation* op = nullptr;  // null: none is under way
  Steps steps{};
  std::uint8_t step = 0;
  bool advancing = false, collected = false;
  std::uint32_t transfer = kNone;
};

enum class What : std::uint8_t {
  kNothing,  // the sender's end of one that is a rendezvous
  kThere,    // a transfer, at its target
  kBack,     // its answer
  kCopied,   // likewise, in shared memory
  kPost,
  kComplete,
  kLockRequest,
  kGrant,
  kUnlock,
  kFlush,
  kVisit,   // of the leader, who counts exclusive locks against locks of all
  kAnswer,  // to an unlock, flush, visit, or to a complete by memory
  kCollected,
};
struct ControlMessage {
  What what = What::kNothing;
  bool takes_cpu = true;
  bool exclusive = false, all = false;         // of locks
  std::uint32_t window = 0, from = 0, to = 0;  // ranks of the window
  std::uint32_t transfer = kNone;
  std::uint64_t count = 0;  // transfers that it comes after
  std::uint32_t next_free = kNone;
  std::uint32_t reader = kNone;  // world rank whose request completes with it
};

// A transfer is one trip to the target and back, or several.
struct Transfer {
  std::uint32_t window = 0, origin = 0, target = 0;  // ranks of the window
  std::uint64_t bytes = 0, received = 0;
  std::uint32_t request = kNone;
  std::uint32_t next = kNone;  // held back, or free
  OpKind kind = OpKind::kRmaPut;
  Means means = Means::kAnswered;
  std::uint8_t trip = 0;
  bool blocks = false;  // its call
  // Of one that is not answered: its origin is done, or it has been carried out; which of both is first depends.
  bool half_over = false;
};
struct Trip {
  std::uint64_t there = 0, back = 0;
  bool is_last = true;
};

enum class Lock : std::uint8_t { kFree, kAsked, kShared, kExclusive, kUnchecked };

// What a rank of a window has with another one, or itself.
struct Peer {
  std::uint32_t rank = 0;
  Lock lock = Lock::kFree;  // of ours, at it
  bool awaited = false;     // its post
  std::uint32_t outstanding = 0, posts = 0, completes = 0;
  std::uint64_t issued = 0, carried_out = 0;  // transfers to it; from it
  std::uint32_t held_first = kNone, held_last = kNone;
};
struct LockRequest {
  std::uint32_t origin = 0;
  bool exclusive = false;
};
// A rank of a window.
struct Side {
  std::vector<Peer> peers;                         // ascending
  std::span<const std::uint32_t> started, posted;  // groups
  std::uint32_t outstanding = 0, awaited_posts = 0, asked = 0, unanswered = 0, completes = 0, collectives = 0;
  std::uint64_t to_come = 0, carried_out = 0;
  std::uint32_t shared_holders = 0, exclusive_holder = kNone;
  std::vector<LockRequest> queue;
  std::vector<ControlMessage> early;  // come before the transfers that they come after
  bool holds_all = false;
};
// A window.
struct WindowState {
  std::vector<Side> sides;  // by rank of the window; empty until somebody uses it
  std::uint32_t freed = 0;
  std::vector<std::uint32_t> waiting_all;  // by memory: origins of locks of all
};

// What the call in hand of a rank still waits for.
struct Missing {
  std::optional<std::uint32_t> rank;  // world
  std::string text;
};

struct Windows {
  // Makes the ranks of all windows begin their calls at the simulated time: others may need them.
  Windows(const Program& program, const hw::Platform& platform, Communicators& comms, Engine& engine);

  // For the engine. Control messages are numbered; taken() (window_control.hpp): by the CPU of the rank they are for,
  // at its clock, or without it, then.
  bool takes_cpu(std::uint32_t control) const { return control_messages[control].takes_cpu; }
  std::uint32_t reader(std::uint32_t control) const { return control_messages[control].reader; }

  WindowWay way(std::uint32_t window) const { return ways[window]; }
  std::uint32_t size(std::uint32_t window) const { return comms.size(program.windows()[window].comm); }
  std::uint32_t world(std::uint32_t window, std::uint32_t rank) const {
    return comms.world(program.windows()[window].comm, rank);
  }
  // The world rank's number in the window.
  std::uint32_t own(std::uint32_t rank, std::uint32_t window) const {
    return comms.membership(rank, program.windows()[window].comm).rank;
  }
  bool same_node(std::uint32_t window, std::uint32_t a, std::uint32_t b) const {
    return engine.node(world(window, a)) == engine.node(world(window, b));
  }

  const Program& program;
  Communicators& comms;
  Engine& engine;
  std::vector<WindowWay> ways;      // by window
  std::vector<WindowState> states;  // likewise
  std::vector<Call> calls;          // by rank
  LargeVector<ControlMessage> control_messages;
  LargeVector<Transfer> transfers;
  std::uint32_t free_control_messages = kNone, free_transfers = kNone;
};

// A rank of a window; something is kept for all of them from now on.
Side& side(Windows& windows, std::uint32_t window, std::uint32_t rank);

// What a rank of a window has with another one, made if there is nothing.
Peer& peer_of(Side& side, std::uint32_t rank);

// Null: nothing.
const Peer* find_peer(const Side& side, std::uint32_t rank);

}  // namespace plumbline::replay::mpi::rma
