#include "viewer/index/matches/match_operations.hpp"

#include <utility>

#include "viewer/index/matches/match_parts.hpp"

namespace plumbline::viewer {

Matches match_operations(const replay::Program& program, const Scratch& scratch) {
  Matches matches;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    RankMatches own{KeptColumn<OperationId>(scratch), KeptColumn<Link>(scratch), KeptColumn<Link>(scratch)};
    own.partner.resize(program.rank(rank).operations.size());
    matches.ranks.push_back(std::move(own));
  }
  match_messages(program, matches);
  match_collectives(program, matches, scratch);
  match_window_groups(program, matches);
  match_requests(program, matches);
  return matches;
}

}  // namespace plumbline::viewer
