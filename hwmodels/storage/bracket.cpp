#include "hwmodels/storage/bracket.hpp"

#include <algorithm>

namespace plumbline::hw::storage {

Server at_end_of(Bracket bracket, const Server& server) {
  Server result = server;
  if (server.cache.policy != CachePolicy::kPageCache || bracket == Bracket::kAsGiven) return result;
  if (bracket == Bracket::kBest) {
    result.cache.dirty_background = Bytes{0};
    return result;
  }
  // A page cache in which nothing stays: its dirty data, written back in order.
  result.cache.policy = CachePolicy::kAggregationReorder;
  result.cache.memory = std::max(dirty_limit(server.cache), server.cache.granularity);
  return result;
}

}  // namespace plumbline::hw::storage
