#pragma once
// The replay itself: ranks as cursors over a compiled program, on the models of hwmodels.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/time_sum.hpp"
#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "hwmodels/storage/storage.hpp"
#include "hwmodels/usage/use_history.hpp"
#include "replay/engine/choices.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/mpi/matching/wildcards.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// kAnchored: each operation starts at its observed time on its rank, or when the rank is free in the model if that is
// later; only durations are computed. kFree: ranks run from the start, with compute times and dependencies.
enum class Mode { kAnchored, kFree };

// What stands for collectives and MPI-IO calls (docs/models/replay-expectations.md). kIdeal: the best schedule that
// is known for this platform, each byte of collective I/O moved once. kAsConfigured: what the tables of the library and
// the hints in force say. kAsRun: what was recorded inside of them, where it was; else as configured.
enum class Form : std::uint8_t { kIdeal, kAsConfigured, kAsRun };

class BestSchedules;
class UnmatchedOperations;

struct ReplayOptions {
  Mode mode = Mode::kAnchored;
  Form form = Form::kIdeal;
  hw::CacheCase cache = hw::CacheCase::kCached;
  double compute = 1.0;  // factor on recorded compute time between calls; free mode only
  // As-run: what the library computed between two things it did inside of a call is at most this many times the CPU
  // time of a message there (docs/models/replay-inner-streams.md); the rest of the recorded time was waiting.
  double inner_gap_cap = 1.0;
  Choices choices{};
  // What earlier replays of the same ranks on the same platform found the fastest; null: this one looks for itself.
  std::shared_ptr<BestSchedules> best{};
  bool keep_file_operations = false;  // ReplayResult::file_operations
  bool record_use = false;            // ReplayResult::use
  std::uint64_t seed = 1;             // of the phases of noise, and what is sampled; free mode only
  bool run_ahead = true;   // off: every operation is begun by an event of its own; the same times, more slowly
  bool go_ahead = true;    // off: a rank waits for the event of every message; the same times, more slowly
  bool express = true;     // off: every packet has its events (hw::NetworkOptions); the same times, more slowly
  bool keep_times = true;  // ReplayResult::times, which take 16 bytes an operation
  Scratch scratch = {};    // where they lie, and what else grows with the operations
  // Operations that need not wait for anybody; null: replay() finds out where it cannot finish otherwise.
  std::shared_ptr<const UnmatchedOperations> unanswered = {};
  // With record_use: so many of the first operations of each device of a file server are kept in its storage.accesses.
  std::size_t device_operations = 0;
  // On a sampled network: every message takes this quantile. Nothing: what `seed` draws, and in anchored mode the
  // median: what is random would only shift what is compared.
  std::optional<double> share = {};
  std::function<void(double share)> progress = {};  // called now and then: operations that are over, 0 to 1
};

// Operations with messages inside of them that cannot be run by these, and why.
struct InnerFault {
  std::string reason;
  std::uint64_t operations = 0;
};

// Who chose the algorithm of a collective: the user; the tables of a library; a search on this platform, which may find
// the stand-in; or nobody, so that the stand-in runs (replay/collectives/schedule.hpp).
enum class ChosenBy : std::uint8_t { kForced, kTables, kBest, kNobody };

struct CollectiveUse {
  std::string call;       // "MPI_Allreduce"
  std::string algorithm;  // "openmpi ring", "stand-in: dissemination"
  ChosenBy by = ChosenBy::kNobody;
  std::uint64_t calls = 0;
};

// Accesses to files of which something is not as their library does it, and why.
struct IoRemark {
  std::string reason;
  std::uint64_t operations = 0;
};

// A POSIX operation that the model made of an access through MPI-IO, or the program of its own accord.
struct DoneOperation {
  std::uint32_t operation = 0;  // of the rank
  io::FileOperation file_operation;
};

struct ReplayResult {
  std::vector<Column<OperationTimes>> times;  // [rank][operation]; empty unless they were to be kept
  std::uint64_t events = 0, messages = 0;
  std::uint64_t unreceived = 0;  // messages that no rank ever received: a remark, not an error
  // Anchored: operations that could not start at their observed time because the model was slower than the world.
  std::uint64_t late_starts = 0;
  TimeSum lateness;                                  // sum over them
  std::vector<std::vector<std::uint32_t>> by_inner;  // as-run, [rank]: operations run by what was inside of them
  std::vector<InnerFault> inner_faults;              // as-run: those that could not be
  // What stood for each collective of several ranks; as-run also where in fact what was inside of it was run.
  std::vector<CollectiveUse> collectives;
  std::vector<std::vector<DoneOperation>> file_operations;  // [rank], where they were to be kept
  // [rank], by operation: what receives from any took that the replay matched; empty where there are none.
  std::vector<std::vector<mpi::WildcardMatch>> wildcards;
  std::vector<IoRemark> io_remarks;  // as-configured, as-run: what was assumed, or left to the ideal form
  hw::UseRecord use;                 // where it was to be recorded
  Time end = {};                     // of the last operation
  std::shared_ptr<const UnmatchedOperations> unanswered = {};  // operations that were left out, if any had to be
  // On a sampled network: messages that took the time of fewer in flight, because more were not measured.
  std::uint64_t beyond_measured = 0;
};

// What the replay will not model of this program on this platform; asked before a replay starts.
struct NotJudged {
  std::string reason;
  bool set_up = false;  // start-up, shutdown, creation of communicators, windows and file handles
  std::uint64_t operations = 0;
  TimeSum observed;  // their time, summed over ranks
};
std::vector<NotJudged> not_judged(const Program& program, const hw::Platform& platform);

// Which node of the platform each rank runs on: placements, else the recorded node's name, else the only node of a
// platform with one node. Throws Error naming the ranks that have none.
std::vector<std::uint32_t> place_ranks(const Program& program, const hw::Platform& platform);

// Where it cannot finish, and the recording says that it is incomplete, what has no other end in it is left out. Throws
// Error when it cannot finish all the same: who waits for whom, rank by rank.
ReplayResult replay(const Program& program, const hw::Platform& platform, const ReplayOptions& options);

// Number of POSIX data operations that the ideal form of each MPI-IO access needs, on the rank that does them: of a
// collective one, the aggregators. Only operations that need one, by rank, then by operation.
struct IdealIo {
  std::uint32_t rank = 0, operation = 0;
  std::uint64_t operations = 0;
};
Column<IdealIo> ideal_io(const Program& program, const hw::Platform& platform, const Scratch& scratch = {});

}  // namespace plumbline::replay
