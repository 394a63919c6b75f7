#include "replay/expect/replay_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/quantity.hpp"

namespace plumbline::replay::expect {

std::uint64_t bytes_of_replay(const replay::Program& program, const hw::Platform& platform) {
  constexpr std::uint64_t kSchedules = std::uint64_t{32} << 20;  // kept for calls that are equal to those before
  // Of an operation its times, and as much again for what is outstanding of it at the worst.
  constexpr std::uint64_t kRank = 1024, kNode = 1024, kOperation = 2 * sizeof(replay::OperationTimes);
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) operations += program.rank(rank).operations.size();
  return kSchedules + kRank * program.ranks() + kNode * platform.nodes.size() + kOperation * operations;
}

std::uint32_t replay_jobs(std::uint32_t asked, std::size_t replays, std::uint64_t bytes_of_each,
                          std::optional<std::uint64_t> available) {
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(asked > 0 ? asked : usable_processors(), 1, std::max<std::size_t>(replays, 1));
  const std::uint64_t fit =
      available ? std::max<std::uint64_t>(*available / std::max<std::uint64_t>(bytes_of_each, 1), 1) : wanted;
  if (fit < wanted)
    fmt::print(stderr, "plumbline: {} of {} replays at a time: one takes about {}, and {} of memory are available\n",
               fit, wanted, format(Bytes{bytes_of_each}), format(Bytes{*available}));
  return static_cast<std::uint32_t>(std::min(fit, wanted));
}

Team telling_team(std::uint32_t jobs, Progress& progress) {
  return {.jobs = jobs, .progress = [&](double share) {
            progress.update(static_cast<std::uint64_t>(share * static_cast<double>(kThousandths)));
          }};
}

}  // namespace plumbline::replay::expect
