#include "replay/collectives/recorded/collective_calls.hpp"

#include <unordered_map>

namespace plumbline::replay::collectives::recorded {

using schedules::Observed;

std::optional<Observed> observed_of(const Program& program, const InnerIndex& inner, const CollectiveCall& call) {
  const CommView comm = program.comm(call.comm);
  std::unordered_map<std::uint32_t, std::uint32_t> place;
  for (std::uint32_t rank = 0; rank < comm.members.size(); ++rank) place[comm.members[rank]] = rank;
  Observed observed;
  observed.ranks.resize(call.operations.size());
  for (std::uint32_t rank = 0; rank < call.operations.size(); ++rank) {
    for (const PostedMessage& posted : inner.of(comm.members[rank], call.operations[rank])) {
      const auto peer = place.find(posted.message->peer);
      if (peer == place.end() || (posted.message->flags & (kInnerFailed | kInnerUnknownBytes)) != 0)
        return std::nullopt;
      observed.ranks[rank].push_back({posted.is_send, peer->second, posted.message->bytes});
    }
  }
  return observed;
}

}  // namespace plumbline::replay::collectives::recorded
