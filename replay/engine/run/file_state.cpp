#include "replay/engine/run/file_state.hpp"

namespace plumbline::replay::engine {

io::Round& SharedAccess::round(std::uint64_t number) {
  while (first_round + rounds.size() <= number) {
    LiveRound& live = rounds.emplace_back();
    if (!spare.empty()) {
      live.round = std::move(spare.back());
      spare.pop_back();
    }
    library.rounds.make(live.round);
  }
  return rounds[number - first_round].round;
}

void SharedAccess::leave_round(std::uint64_t number, std::uint32_t ranks) {
  ++rounds[number - first_round].left;
  while (!rounds.empty() && rounds.front().left == ranks) {
    spare.push_back(std::move(rounds.front().round));
    rounds.pop_front();
    ++first_round;
  }
}

void SharedAccesses::leave(std::uint32_t comm, std::uint32_t number, std::uint32_t ranks) {
  const auto access = accesses_.find({comm, number});
  if (++access->second.left == ranks) accesses_.erase(access);
}

FileState::FileState(const Program& program, const hw::Platform& platform, const ReplayOptions& options,
                     const ModelCoverage& coverage)
    : storage(platform.file_systems, options.cache),
      views(program),
      collective(program,
                 [&coverage](const RankProgram& own, const Operation& op) {
                   return coverage.file_system(op.comm).has_value() && coverage.gathers(own, op);
                 }),
      patterns(program),
      locks(program.files()),
      works(options.form == Form::kIdeal || program.files() == 0 ? 0 : program.ranks()),
      calls(program.files() == 0 ? 0 : program.ranks()) {}

}  // namespace plumbline::replay::engine
