#pragma once
// How many replays of a command run at a time.

#include <cstdint>
#include <functional>
#include <optional>

#include "base/progress.hpp"
#include "base/team/resources.hpp"
#include "base/team/task.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

// What one replay takes at most, by what the pages of docs/internals/replay.md count: an estimate, of memory beside the
// mapped program.
std::uint64_t bytes_of_replay(const replay::Program& program, const hw::Platform& platform);

// `asked`, or where that is 0 as many as there are processors for this process; of `replays` in all, and of those as
// many as fit into memory. Where that is fewer it says so on stderr.
std::uint32_t replay_jobs(std::uint32_t asked, std::size_t replays, std::uint64_t bytes_of_each,
                          std::optional<std::uint64_t> available = available_memory());

// So many at a time, whose progress is told there. `progress` counts thousandths, and outlives the team.
inline constexpr std::uint64_t kThousandths = 1000;
Team telling_team(std::uint32_t jobs, Progress& progress);

}  // namespace plumbline::replay::expect
