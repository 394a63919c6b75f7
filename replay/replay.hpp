#pragma once
// The replay itself: ranks as cursors over a compiled program, on the models of hwmodels.

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform.hpp"
#include "hwmodels/storage.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// kAnchored: each operation starts at its observed time on its rank, or when the rank is free in the model if that is
// later; only durations are computed. kFree: ranks run from the start, with compute times and dependencies.
enum class Mode { kAnchored, kFree };

// What stands for an MPI-IO call: the best that the platform allows, or the POSIX operations that were recorded inside
// it.
enum class IoForm { kIdeal, kAsRun };

struct ReplayOptions {
  Mode mode = Mode::kAnchored;
  IoForm io = IoForm::kIdeal;
  hw::CacheCase cache = hw::CacheCase::kCached;
  double compute = 1.0;   // factor on recorded compute time between calls; free mode only
  bool run_ahead = true;  // off: every operation is begun by an event of its own; the same times, more slowly
};

struct ReplayResult {
  std::vector<std::vector<OperationTimes>> times;  // [rank][operation]
  std::uint64_t events = 0, messages = 0;
  std::uint64_t unreceived = 0;  // messages that no rank ever received: a remark, not an error
  // Anchored: operations that could not start at their observed time because the model was slower than the world.
  std::uint64_t late_starts = 0;
  Duration lateness;  // sum over them
};

// What the replay will not model of this program on this platform; asked before a replay starts.
struct NotJudged {
  std::string reason;
  std::uint64_t operations = 0;
  Duration observed;  // their time, summed over ranks
};
std::vector<NotJudged> not_judged(const Program& program, const hw::Platform& platform);

// Which node of the platform each rank runs on: placements, else the recorded node's name, else the only node of a
// platform with one node. Throws Error naming the ranks that have none.
std::vector<std::uint32_t> place_ranks(const Program& program, const hw::Platform& platform);

// Throws Error when the replay cannot finish: who waits for whom, rank by rank.
ReplayResult replay(const Program& program, const hw::Platform& platform, const ReplayOptions& options);

// Number of POSIX data operations that the ideal form of each MPI-IO access needs, on the rank that does them: of a
// collective one, the aggregators. Only operations that need one, by rank, then by operation.
struct IdealIo {
  std::uint32_t rank = 0, operation = 0;
  std::uint64_t operations = 0;
};
std::vector<IdealIo> ideal_io(const Program& program, const hw::Platform& platform);

}  // namespace plumbline::replay
