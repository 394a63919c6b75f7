#pragma once
// One replay under way: a cursor per rank over its operations, a switch over what the operation is, and one queue of
// events. An operation runs in phases; between two phases its rank waits for a point in time (an event), or for
// messages (mpi::Engine says when there is nothing left to wait for).

#include <cstdint>
#include <vector>

#include "hwmodels/storage.hpp"
#include "replay/io/plan.hpp"
#include "replay/judge.hpp"
#include "replay/mpi/communicators.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/replay.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay {

enum class Phase : std::uint8_t {
  kOver,      // no more phases
  kAccesses,  // of Cursor::accesses
  kInner,     // the recorded POSIX operations
  kMetadata,  // open, close, sync
  kGather,    // until all ranks of the communicator are there
  kExchange,  // between ranks and aggregators
  kBarrier,
  kTimer,  // until Cursor::until
};

struct Cursor {
  std::uint32_t next = 0;  // operation: in hand, or to begin
  bool in_hand = false;
  bool timed = false;                    // an event is under way at which the rank goes on
  Time begin;                            // of the operation in hand, or of the next one once known
  Time until;                            // when what the rank waits for ends, if that is a point in time
  std::uint32_t off_cpu = 0, inner = 0;  // positions in the rank's tables
  std::array<Phase, 4> phases{};         // of the operation in hand; kOver: no more
  std::uint8_t phase = 0;
  bool phase_begun = false;
  io::Accesses accesses;  // still to be done
  std::uint32_t group = kNone;
};

// A collective access to a file: its ranks while they gather, then its plan until the last of them has used it.
struct Gathering {
  std::uint32_t comm = 0;
  std::uint32_t arrived = 0, users = 0;
  std::uint32_t sequence = 0;
  Time latest;
  io::CollectivePlan plan;
};

class Run {
 public:
  Run(const Program& program, const hw::Platform& platform, const ReplayOptions& options);

  ReplayResult finish();  // runs to the end

 private:
  void go_on(std::uint32_t rank);
  bool begin_next(std::uint32_t rank);
  Time begin_of(std::uint32_t rank);
  bool begins_at_clock(std::uint32_t rank, const Operation& op) const;
  std::uint64_t largest_message(std::uint32_t rank, const Operation& op) const;
  void start(std::uint32_t rank, const Operation& op);
  bool waits(std::uint32_t rank, const Operation& op);
  void end_operation(std::uint32_t rank, const Operation& op);
  void finish_rank(std::uint32_t rank);
  void wake(std::uint32_t rank, Time at);

  mpi::Channel to(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const;
  mpi::Channel from(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const;
  void start_send(std::uint32_t rank, const Operation& op, std::uint32_t request);
  void start_receive(std::uint32_t rank, const Operation& op, std::uint32_t request);
  void start_sendrecv(std::uint32_t rank, const Operation& op);
  void start_wait(std::uint32_t rank, const Operation& op);
  void start_probe(std::uint32_t rank, const Operation& op);
  void start_collective(std::uint32_t rank, const Operation& op);
  void start_barrier(std::uint32_t rank, std::uint32_t comm, std::uint32_t space);
  void keep_duration(std::uint32_t rank);

  // Files: run_io.cpp.
  void start_io(std::uint32_t rank, const Operation& op);
  void use_phases(Cursor& cursor, std::initializer_list<Phase> phases) const;
  bool advance_phases(std::uint32_t rank, const Operation& op);
  bool run_phase(std::uint32_t rank, const Operation& op, Phase phase);
  bool until_over(std::uint32_t rank);
  bool before_clock(std::uint32_t rank);
  bool access_next(std::uint32_t rank, const Operation& op);
  bool start_non_blocking(std::uint32_t rank, const Operation& op);
  bool inner_next(std::uint32_t rank);
  Time end_of_inner(const InnerIo& io, Time now);
  bool metadata(std::uint32_t rank, const Operation& op);
  bool gather(std::uint32_t rank, const Operation& op);
  void make_plan(Gathering& gathering, const Operation& op);
  void exchange(std::uint32_t rank, const Operation& op);
  std::uint32_t gathering_of(std::uint32_t comm);
  std::uint32_t comm_of(std::uint32_t rank, const Operation& op) const;

  [[noreturn]] void stuck() const;
  bool gathers(std::uint32_t rank, std::uint32_t group) const;

  const Program& program_;
  const ReplayOptions options_;
  const Judge judge_;
  const hw::Platform& platform_;
  bool has_inner_ = false;
  Time first_begin_;
  sim::EventQueue queue_;
  mpi::Communicators comms_;
  mpi::Engine engine_;
  hw::Storage storage_;
  const io::FileViews views_;
  std::vector<Cursor> cursors_;
  std::vector<std::uint8_t> irregular_;  // per call: a collective whose amounts differ between ranks
  std::vector<Gathering> gatherings_;
  std::vector<std::uint32_t> free_gatherings_;
  std::vector<std::uint32_t> gathering_on_;  // per communicator: the one that has not all its ranks yet
  std::vector<std::uint32_t> posted_;        // scratch of exchange()
  std::uint32_t unfinished_ = 0;
  ReplayResult result_;
};

}  // namespace plumbline::replay
