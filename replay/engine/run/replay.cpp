#include "replay/engine/replay.hpp"

#include "replay/engine/inner_streams.hpp"
#include "replay/engine/run/inner.hpp"
#include "replay/engine/run/loop.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "replay/mpi/stuck.hpp"

namespace plumbline::replay {
namespace {

bool has_inner(const Program& program) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (!program.rank(rank).inner.empty()) return true;
  return false;
}

// What was recorded inside did happen, so that it can go on; on another platform, or where the recording is damaged, it
// may not. Then what hangs is left to the schedules, which costs a replay; after a few, everything is.
ReplayResult replay_as_run(const Program& program, const hw::Platform& platform, const ReplayOptions& options) {
  constexpr int kTries = 4;
  const ModelCoverage coverage(program, platform, options.choices.library);
  InnerStreams streams(program, coverage, options.choices, options.scratch);
  for (int tries = 1;; ++tries) {
    engine::Run run(program, platform, options, &streams);
    if (std::optional<ReplayResult> result = engine::run_to_end(run)) {
      result->inner_faults = streams.faults();
      return *std::move(result);
    }
    bool changed = false;
    for (const StuckRank& stuck : engine::stuck_inside(run))
      changed = streams.leave_out(stuck.rank, stuck.operation) || changed;
    if (!changed || tries >= kTries) streams.leave_out_all();
  }
}

ReplayResult replay_by_schedules(const Program& program, const hw::Platform& platform, const ReplayOptions& options) {
  engine::Run run(program, platform, options, nullptr);
  return *engine::run_to_end(run);
}

ReplayResult replay_once(const Program& program, const hw::Platform& platform, const ReplayOptions& options) {
  ReplayResult result = options.form == Form::kAsRun && has_inner(program)
                            ? replay_as_run(program, platform, options)
                            : replay_by_schedules(program, platform, options);
  result.unanswered = options.unanswered;
  return result;
}

}  // namespace

ReplayResult replay(const Program& program, const hw::Platform& platform, const ReplayOptions& options) {
  try {
    return replay_once(program, platform, options);
  } catch (const Stuck&) {
    if (options.unanswered != nullptr || !says_it_is_incomplete(program)) throw;
    ReplayOptions again = options;
    again.unanswered = std::make_shared<const UnmatchedOperations>(program);
    if (!again.unanswered->any()) throw;
    return replay_once(program, platform, again);
  }
}

}  // namespace plumbline::replay
