#include "replay/collectives/recorded/inner_index.hpp"

#include <algorithm>

namespace plumbline::replay::collectives::recorded {

InnerIndex::InnerIndex(const Program& program) : ranks_(program.ranks()) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const RankProgram& part = program.rank(rank);
    std::vector<PostedMessage>& posted = ranks_[rank];
    posted.reserve(part.inner_messages.size());
    for (const InnerItem& item : part.inner)
      if (item.kind == InnerKind::kSend || item.kind == InnerKind::kReceive)
        posted.push_back({part.inner_messages[item.index].operation, item.kind == InnerKind::kSend,
                          &part.inner_messages[item.index]});
    std::ranges::stable_sort(posted, {}, &PostedMessage::operation);
  }
}

std::span<const PostedMessage> InnerIndex::of(std::uint32_t world_rank, std::uint32_t operation) const {
  const auto range = std::ranges::equal_range(ranks_[world_rank], operation, {}, &PostedMessage::operation);
  return {range.begin(), range.end()};
}

bool InnerIndex::empty() const {
  return std::ranges::all_of(ranks_, [](const auto& posted) { return posted.empty(); });
}

}  // namespace plumbline::replay::collectives::recorded
