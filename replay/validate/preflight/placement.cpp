#include "replay/validate/preflight/placement.hpp"

#include <map>
#include <set>

namespace plumbline::replay::validate {
namespace {

using Masks = std::vector<std::vector<std::uint32_t>>;

// A search from a rank for a processor that is free, or can be made free; what it has seen is the crowd where it fails.
struct Search {
  const Masks& masks;
  std::map<std::uint32_t, std::size_t>& holder;  // of each processor that is taken
  std::set<std::size_t> ranks = {};
  std::set<std::uint32_t> processors = {};

  bool place(std::size_t rank) {
    ranks.insert(rank);
    for (const std::uint32_t processor : masks[rank]) {
      if (!processors.insert(processor).second) continue;
      const auto taken = holder.find(processor);
      if (taken != holder.end() && !place(taken->second)) continue;
      holder[processor] = rank;
      return true;
    }
    return false;
  }
};

}  // namespace

Crowd find_crowd(const Masks& masks) {
  std::map<std::uint32_t, std::size_t> holder;
  for (std::size_t rank = 0; rank < masks.size(); ++rank) {
    if (masks[rank].empty()) continue;
    Search search{masks, holder};
    if (!search.place(rank))
      return {{search.ranks.begin(), search.ranks.end()}, {search.processors.begin(), search.processors.end()}};
  }
  return {};
}

}  // namespace plumbline::replay::validate
