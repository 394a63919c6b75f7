#include "hwmodels/platform/part_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.hpp"

namespace plumbline::hw {

std::vector<PartFault> faults_of(const Noise& noise) {
  if (noise.duration.value < noise.period.value) return {};
  return {{fmt::format("lasts {} of every {}", format(noise.duration.value), format(noise.period.value)),
           "a duration must be shorter than its period"}};
}

std::vector<PartFault> faults_of(const Sockets& sockets, std::uint32_t cores) {
  if (sockets.count <= cores) return {};
  return {{fmt::format("has {} sockets for {} cores", sockets.count, cores), "each socket has a core"}};
}

std::vector<PartFault> faults_of(const ServerCache& cache) {
  std::vector<PartFault> faults;
  if (cache.policy != CachePolicy::kPageCache && (cache.dirty_background || cache.dirty_limit))
    faults.push_back({"has a limit of dirty data, and is no page cache", "remove it or write policy=\"page-cache\""});
  if (dirty_limit(cache) < dirty_background(cache))
    faults.push_back({"has a dirty-limit below its dirty-background", "writers would wait for nothing"});
  if (cache.memory < dirty_limit(cache))
    faults.push_back({"has a dirty-limit above its memory", "dirty data is part of the memory"});
  if (cache.granularity.count == 0)
    faults.push_back({"has a granularity of zero", "write for example granularity=\"10MiB\""});
  else if (cache.memory < cache.granularity)
    faults.push_back({"has less memory than its granularity", "give it memory for one access at least"});
  return faults;
}

std::vector<PartFault> faults_of(const Server& server, Bytes packet) {
  const bool pages = server.cache.policy == CachePolicy::kPageCache;
  if ((pages ? dirty_limit(server.cache) : server.cache.memory) >= packet) return {};
  return {{pages ? "has a page cache with less room for dirty data than a packet"
                 : "has a cache with less memory than a packet",
           fmt::format("give it {} at least", format_exact(packet))}};
}

std::vector<PartFault> faults_of(const Distribution& distribution) {
  std::vector<PartFault> faults;
  const std::size_t servers = distribution.servers.size();
  if (distribution.stripe.count == 0) faults.push_back({"has a stripe of zero", "write for example stripe=\"64KiB\""});
  if (servers > 0 && distribution.stripe_count > servers)
    faults.push_back({fmt::format("puts each file on {} servers, and it has {}", distribution.stripe_count, servers),
                      fmt::format("write count=\"{}\" or name more servers", servers)});
  return faults;
}

std::vector<PartFault> faults_of_local(std::vector<std::uint32_t> nodes, std::span<const Node> all_nodes) {
  std::ranges::sort(nodes);
  const auto twice = std::ranges::adjacent_find(nodes);
  if (twice == nodes.end()) return {};
  return {{fmt::format("is local and has two servers on node '{}'", all_nodes[*twice].name), "name one for each node"}};
}

}  // namespace plumbline::hw
