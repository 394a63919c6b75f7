#pragma once
// One replay under way: a cursor per rank over its operations, a switch over what the operation is, and one queue of
// events. An operation runs in phases; between two phases its rank waits for a point in time (an event), or for
// messages (mpi::Engine says when there is nothing left to wait for).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hwmodels/platform/per_node.hpp"
#include "hwmodels/storage/storage.hpp"
#include "replay/engine/collective_choice.hpp"
#include "replay/engine/cores.hpp"
#include "replay/engine/distributed_files.hpp"
#include "replay/engine/inner_streams.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/engine/run_files.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "replay/io/collective_calls.hpp"
#include "replay/io/plan.hpp"
#include "replay/mpi/communicators.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/open_receives.hpp"
#include "replay/mpi/stuck.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/mpi/windows.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay {

enum class Phase : std::uint8_t {
  kOver,      // no more phases
  kAccesses,  // of Cursor::accesses
  kMetadata,  // open, close, sync
  kMissing,   // for ever: a rank of the communicator makes fewer collective calls
  kExchange,  // between ranks and aggregators
  kBarrier,
  kTimer,    // until Cursor::until
  kLibrary,  // an access as its library carries it out: LibraryWork
};

// Events of ranks, the kind of sim::Event: something was waited for until then; a call to a file is over; one that was
// submitted is.
// The first ranks, and all that begin with them, begin by one event.
enum RankEvent : std::uint32_t { kGoesOn, kFileDone, kSubmittedDone, kAllBegin };

// What every rank has of its own, so it is small: what only some programs need is in tables beside it, which are empty
// in the others.
struct Cursor {
  Time begin;                     // of the operation in hand, or of the next one once known
  Time until;                     // when what the rank waits for ends, if that is a point in time
  std::uint32_t next = 0;         // operation: in hand, or to begin
  std::uint32_t inner = 0;        // position in the rank's table
  std::array<Phase, 4> phases{};  // of the operation in hand; kOver: no more
  std::uint8_t phase = 0;
  bool phase_begun = false;
  bool in_hand : 1 = false;
  bool inside : 1 = false;  // what was recorded inside of the operation is being run
  bool timed : 1 = false;   // an event is under way at which the rank goes on
};
static_assert(sizeof(Cursor) == 32);

// Of a rank whose operation is run by what was recorded inside of it (run_inner.cpp).
struct Inside {
  bool runs = false;                    // its own messages are run: nothing else stands for the operation
  bool posix = false;                   // its POSIX calls are run
  bool gaps = false;                    // what the library computed between them counts
  bool begun = false;                   // the next item: `at` is known
  bool any = false;                     // item was run
  Time at;                              // when the next item begins
  Time seen;                            // when the last one was over in the recording
  Duration charged;                     // what it cost the CPU in the model after that
  Duration cap;                         // of the CPU time before the next item, as far as the last one tells
  std::vector<std::uint32_t> requests;  // by slot, of messages under way
};

// What a program has of messages.
struct MessageKinds {
  bool synchronous_sends = false, blocking_receives = false, open_wildcards = false;
};

// A call to POSIX, or one that MPI has refused: nobody in MPI sees it.
inline bool is_outside_mpi(const Operation& op) {
  return (is_io(op.kind) && !(op.flags & kIoIsMpi)) || (op.kind == OpKind::kUnmodelled && (op.flags & kRefused));
}

class Run {
 public:
  // `streams`: null unless as-run.
  Run(const Program& program, const hw::Platform& platform, const ReplayOptions& options, const InnerStreams* streams);

  // Runs to the end. Nothing: it cannot go on, and something is run by what was recorded inside of operations.
  std::optional<ReplayResult> finish();
  // Then: the ranks that wait in the middle of such an operation.
  std::vector<StuckRank> stuck_inside() const;

  // The file servers that the program uses; null: none.
  const hw::storage::FileServers* file_servers() const { return distributed_ ? &distributed_->servers() : nullptr; }

 private:
  // The loop: run.cpp.
  void begin_all();
  void tell_progress() const;
  void of_rank(std::uint32_t rank, std::uint32_t event);
  void go_on(std::uint32_t rank);
  void go_on_with_ready();
  bool begin_next(std::uint32_t rank);
  void start(std::uint32_t rank, const Operation& op);
  bool waits(std::uint32_t rank, const Operation& op);
  bool counts_as_collective(const Operation& op) const;
  void end_operation(std::uint32_t rank, const Operation& op);
  void finish_rank(std::uint32_t rank);
  void wake(std::uint32_t rank, Time at);
  void keep_duration(std::uint32_t rank);
  bool is_in_file_call(std::uint32_t rank) const { return !file_calls_.empty() && file_calls_[rank].in_call; }
  // Of the operation in hand: what of it nobody answers.
  std::uint8_t unanswered(std::uint32_t rank) const {
    if (options_.unanswered == nullptr) return UnmatchedOperations::kNothing;
    return options_.unanswered->of(rank, cursors_[rank].next);
  }
  [[noreturn]] void stuck() const;

  // Between operations: run_compute.cpp.
  Time begin_of(std::uint32_t rank);
  Duration off_cpu_before(const RankProgram& own, std::uint32_t operation) const;
  // Before the next operation. Where cores are shared `begin` stays, and work is left.
  void compute(std::uint32_t rank, Duration work) {
    Cursor& cursor = cursors_[rank];
    const Time alone = noise_.after(rank, cursor.begin, work);
    if (cores_.shared(nodes_[rank]))
      shared_work_[rank] += alone - cursor.begin;  // a thread may have taken some already
    else
      cursor.begin = alone;
  }
  void share_cores(const sim::Event& event);

  // Ahead of the clock: run_ahead.cpp.
  bool begins_at_clock(std::uint32_t rank, const Operation& op) const;
  std::uint64_t largest_message(std::uint32_t rank, const Operation& op) const;
  std::uint64_t largest_exchange(std::uint32_t rank, const Operation& op) const;

  // Messages: run_messages.cpp.
  void post(std::uint32_t rank, const Operation& op);
  void post_answered(std::uint32_t rank, const Operation& op, std::uint8_t unanswered);
  void begin_to_wait(std::uint32_t rank, const Operation& op);
  mpi::Channel to(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const;
  mpi::Channel from(std::uint32_t rank, std::uint32_t comm, std::int32_t peer, std::int32_t tag) const;
  void start_send(std::uint32_t rank, const Operation& op, std::uint32_t request);
  void start_receive(std::uint32_t rank, const Operation& op, std::uint32_t request);
  void start_open_receive(std::uint32_t rank, std::uint32_t request);
  void start_sendrecv(std::uint32_t rank, const Operation& op);
  void start_wait(std::uint32_t rank, const Operation& op);
  void start_probe(std::uint32_t rank, const Operation& op);
  void start_collective(std::uint32_t rank, const Operation& op);
  void start_neighbourhood(std::uint32_t rank, const Operation& op);
  void start_barrier(std::uint32_t rank, std::uint32_t comm, std::uint32_t space);

  // Use of components: run_use.cpp.
  void record_use();
  void record_servers(Duration step);
  void sample_use(Time now);
  void sample_network();
  void end_use();

  // Files: run_io.cpp.
  void start_io(std::uint32_t rank, const Operation& op);
  void use_phases(Cursor& cursor, std::initializer_list<Phase> phases) const;
  bool advance_phases(std::uint32_t rank, const Operation& op);
  bool run_phase(std::uint32_t rank, const Operation& op, Phase phase);
  bool until_over(std::uint32_t rank);
  bool before_clock(std::uint32_t rank);
  bool access_next(std::uint32_t rank, const Operation& op);
  bool start_non_blocking(std::uint32_t rank, const Operation& op);
  bool metadata(std::uint32_t rank, const Operation& op);
  bool synchronises(std::uint32_t rank, const Operation& op) const;
  void start_ideal(std::uint32_t rank, const Operation& op);
  bool take_part(std::uint32_t rank, const Operation& op);
  SharedAccess& shared_by(std::uint32_t rank, const Operation& op);
  void leave_shared(std::uint32_t rank, const Operation& op);
  void make_plan(SharedAccess& shared, std::uint32_t rank, const Operation& op);
  void exchange(std::uint32_t rank, const Operation& op);
  void post(std::uint32_t rank, std::uint32_t comm, std::uint32_t sequence, std::uint32_t peer, std::uint64_t bytes,
            bool sends);
  void wait_for_posted(std::uint32_t rank);
  std::uint32_t comm_of(std::uint32_t rank, const Operation& op) const;
  std::vector<std::uint32_t> missing_ranks(std::uint32_t rank) const;

  // A POSIX operation on a file, begun at the rank's clock; file_done() is called when it is over.
  void access(std::uint32_t rank, std::uint32_t file, const io::FileOperation& operation);
  void file_done(std::uint32_t rank);
  void submit_next(std::uint32_t rank);
  void submitted_done(std::uint32_t rank);
  void serve_files();
  bool on_servers(std::uint32_t file) const { return coverage_.on_servers(file); }
  void access_list(std::uint32_t rank, const Operation& op);
  void ask_servers(std::uint32_t rank, std::uint32_t file, DistributedFiles::Metadata what);
  Time end_of(std::uint32_t file, const io::FileOperation& operation, Time now);

  // Accesses as their library carries them out: run_library_io.cpp.
  bool start_library(std::uint32_t rank, const Operation& op);
  const io::FileSettings& settings_of(std::uint32_t rank, const Operation& op);
  bool is_covered(std::uint32_t rank, const Operation& op, const io::FileSettings& settings);
  bool ends_with_all(std::uint32_t rank, const Operation& op);
  void make_library_call(std::uint32_t rank, const Operation& op);
  bool library_next(std::uint32_t rank, const Operation& op);
  bool library_step(std::uint32_t rank, const Operation& op);
  void begin_alone(std::uint32_t rank, const Operation& op);
  bool step_alone(std::uint32_t rank, const Operation& op);
  bool await_submitted(std::uint32_t rank);
  void remark(std::string_view reason);
  mpi::CollectivePlan* plan_of(const LibraryWork& work, const io::CollectiveExchange& exchange);
  void exchange(std::uint32_t rank, const io::CollectiveExchange& exchange);
  void tell_lists(std::uint32_t rank);
  void tell_group(std::uint32_t rank, const io::CollectiveExchange& exchange);
  void exchange_round(std::uint32_t rank, const Operation& op);
  bool file_step(std::uint32_t rank, const Operation& op, const io::FileOperations& operations);
  void go_to(LibraryWork& work, LibraryWork::Stage stage) const;

  // What was recorded inside of operations: run_inner.cpp.
  bool begin_inside(std::uint32_t rank, const Operation& op);
  bool is_as_run_io(std::uint32_t rank, const Operation& op) const;
  const InnerItem* next_inside(std::uint32_t rank);
  bool run_inside(std::uint32_t rank);
  bool is_due(std::uint32_t rank, bool at_clock);
  Duration cap_of(std::uint32_t rank, const InnerItem& item);
  Duration library_time(const Inside& inside, Duration recorded, Duration cap) const;
  void run_item(std::uint32_t rank, const InnerItem& item);
  void run_message(std::uint32_t rank, const InnerItem& item);
  void ask_inner(std::uint32_t rank, InnerKind kind, const InnerAccess& access);
  Time end_of_inner(const InnerItem& item, const InnerAccess& access, Time now);
  void end_inside(std::uint32_t rank, const Operation& op);

  const Program& program_;
  const ReplayOptions options_;
  const ModelCoverage coverage_;
  const OpenReceives open_receives_;
  const hw::Platform& platform_;
  const InnerStreams* streams_;
  bool has_inner_posix_ = false;
  Time first_begin_;
  const std::vector<std::uint32_t> nodes_;   // of each rank
  const hw::PerNode<double> compute_scale_;  // of recorded compute time
  const mpi::Noise noise_;
  sim::EventQueue queue_;
  mpi::Communicators comms_;
  const MessageKinds kinds_;
  mpi::Engine engine_;
  std::unique_ptr<mpi::Windows> windows_;                // null: nobody has any
  const std::unique_ptr<DistributedFiles> distributed_;  // null: no file is on servers
  const std::uint32_t first_rank_;                       // component of rank 0
  Cores cores_;
  CollectiveChoice choice_;
  hw::Storage storage_;
  const io::FileViews views_;
  std::vector<Cursor> cursors_;
  // By rank, to be computed on shared cores before the next operation, from Cursor::begin on; empty unless nodes share.
  std::vector<Duration> shared_work_;
  std::vector<Inside> insides_;  // by rank; empty unless as-run
  const io::CollectiveCalls calls_;
  const io::Patterns patterns_;
  SharedAccesses shared_;
  SettingsTable settings_;
  std::vector<io::LockTable> locks_;     // by file
  std::vector<LibraryWork> works_;       // by rank; empty in the ideal form, and without files
  std::vector<FileCalls> file_calls_;    // by rank; empty without files
  std::vector<std::uint32_t> posted_;    // scratch: requests of an exchange or a wait
  std::vector<std::uint32_t> computed_;  // scratch of share_cores()
  std::vector<FileCall> served_;         // scratch of serve_files()
  std::uint32_t unfinished_ = 0;
  ReplayResult result_;
};

}  // namespace plumbline::replay
