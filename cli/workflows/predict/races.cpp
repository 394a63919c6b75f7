#include "cli/workflows/predict/races.hpp"

#include <algorithm>

namespace plumbline::cli::predict {

void Races::add_run(std::vector<std::vector<replay::mpi::WildcardMatch>> wildcards) {
  if (++runs_ == 1) {
    first_ = std::move(wildcards);
    return;
  }
  for (std::uint32_t rank = 0; rank < first_.size(); ++rank)
    for (std::size_t i = 0; i < first_[rank].size(); ++i) {
      const replay::mpi::WildcardMatch &first = first_[rank][i], &now = wildcards[rank][i];
      if (first.source != now.source) differing_[{rank, first.operation}].insert({first.source, now.source});
    }
}

std::vector<Race> Races::found(const replay::Program& program) const {
  std::map<std::uint32_t, Race> by_site;
  for (const auto& [where, senders] : differing_) {
    const replay::Operation& op = program.rank(where.first).operations[where.second];
    Race& race = by_site[op.site];
    if (race.receives++ > 0) continue;
    race.site = program.site(op.site);
    race.call = program.call(op.call);
    race.rank = where.first;
    race.senders = senders;
  }
  std::vector<Race> races;
  for (auto& [site, race] : by_site) races.push_back(std::move(race));
  return races;
}

}  // namespace plumbline::cli::predict
