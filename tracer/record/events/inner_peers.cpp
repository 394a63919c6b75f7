#include "tracer/record/events/inner_peers.hpp"

#include <algorithm>
#include <iterator>

namespace plumbline::record {

void InnerPeers::add(std::uint32_t context, std::uint32_t rank_in_context, std::uint32_t receiver, std::uint32_t sender,
                     Time when) {
  std::vector<Told>& all = told_[{context, rank_in_context, receiver}];
  all.insert(std::ranges::upper_bound(all, when, {}, &Told::when), {when, sender});
}

std::optional<std::uint32_t> InnerPeers::sender(std::uint32_t context, std::uint32_t rank_in_context,
                                                std::uint32_t receiver, Time complete) const {
  const auto entry = told_.find({context, rank_in_context, receiver});
  if (entry == told_.end()) return std::nullopt;
  const auto later = std::ranges::upper_bound(entry->second, complete, {}, &Told::when);
  return later == entry->second.begin() ? later->sender : std::prev(later)->sender;
}

}  // namespace plumbline::record
