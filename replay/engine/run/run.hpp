#pragma once
// One replay under way, as plain data: a cursor per rank over its operations, and one queue of events. What is done to
// it, part by part: loop.hpp, compute.hpp, ahead.hpp, messages.hpp, phases.hpp, file_accesses.hpp, file_calls.hpp,
// collective_access.hpp, library_access.hpp, inner.hpp, use.hpp.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "hwmodels/platform/per_node.hpp"
#include "replay/engine/access.hpp"
#include "replay/engine/collective_choice.hpp"
#include "replay/engine/cores.hpp"
#include "replay/engine/distributed_files.hpp"
#include "replay/engine/inner_streams.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/engine/run/file_state.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/mpi/matching/communicators.hpp"
#include "replay/mpi/matching/open_receives.hpp"
#include "replay/mpi/stuck.hpp"
#include "replay/mpi/transfers/noise.hpp"
#include "replay/mpi/windows.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay::engine {

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

// Of a rank whose operation is run by what was recorded inside of it (inner.hpp).
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

// What ranks compute between operations.
struct Computing {
  Cores cores;
  const hw::PerNode<double> scale;  // of recorded compute time
  // By rank, to be computed on shared cores before the next operation, from Cursor::begin on; empty unless nodes share.
  std::vector<Duration> shared_work;
  std::vector<std::uint32_t> computed;  // scratch of share_cores()
};

// What is run by what was recorded inside of operations.
struct InnerState {
  const InnerStreams* streams;  // null unless as-run
  bool has_posix = false;
  std::vector<Inside> ranks;  // empty unless as-run
};

struct Run {
  // `streams`: null unless as-run.
  Run(const Program& program, const hw::Platform& platform, const ReplayOptions& options, const InnerStreams* streams);
  Run(const Run&) = delete;  // its parts refer to each other
  Run& operator=(const Run&) = delete;

  const Program& program;
  const ReplayOptions options;
  const ModelCoverage coverage;
  const OpenReceives open_receives;
  const hw::Platform& platform;
  Time first_begin;
  const std::vector<std::uint32_t> nodes;  // of each rank
  const mpi::Noise noise;
  sim::EventQueue queue;
  mpi::Communicators comms;
  const MessageKinds kinds;
  mpi::Engine engine;
  std::unique_ptr<mpi::rma::Windows> windows;           // null: nobody has any
  const std::unique_ptr<DistributedFiles> distributed;  // null: no file is on servers
  const std::uint32_t first_rank;                       // component of rank 0
  CollectiveChoice choice;
  std::vector<Cursor> cursors;
  std::vector<std::uint32_t> posted;  // scratch: requests of an exchange or a wait
  std::uint32_t unfinished = 0;       // ranks
  ReplayResult result;

  Computing computing;
  FileState files;
  InnerState inner;
};

// Whether the rank waits for a call to a file.
inline bool is_in_file_call(const Run& run, std::uint32_t rank) {
  return !run.files.calls.empty() && run.files.calls[rank].in_call;
}

// Of the operation in hand of the rank: what of it nobody answers (UnmatchedOperations).
inline std::uint8_t unanswered(const Run& run, std::uint32_t rank) {
  if (run.options.unanswered == nullptr) return UnmatchedOperations::kNothing;
  return run.options.unanswered->of(rank, run.cursors[rank].next);
}

// Whether file servers of the platform hold the file.
inline bool on_servers(const Run& run, std::uint32_t file) { return run.coverage.on_servers(file); }

// The rank goes on at that time, by an event.
void wake(Run& run, std::uint32_t rank, Time at);

}  // namespace plumbline::replay::engine
