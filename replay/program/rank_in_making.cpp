#include "replay/program/rank_in_making.hpp"

#include <xxhash.h>

#include <algorithm>

namespace plumbline::replay {

NeighbourTail RankInMaking::lists(std::span<const Neighbour> to, std::span<const Neighbour> from) {
  const std::uint64_t hash =
      XXH3_64bits_withSeed(from.data(), from.size_bytes(), XXH3_64bits_withSeed(to.data(), to.size_bytes(), to.size()));
  const auto at = [this](std::size_t first, std::size_t n) { return std::span(neighbours).subspan(first, n); };
  const auto [begin, end] = known_neighbours.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    const NeighbourTail& tail = known->second;
    if (tail.to == to.size() && tail.from == from.size() && std::ranges::equal(at(tail.first, tail.to), to) &&
        std::ranges::equal(at(tail.first + std::size_t{tail.to}, tail.from), from))
      return tail;
  }
  NeighbourTail tail;
  tail.first = static_cast<std::uint32_t>(neighbours.size());
  tail.to = static_cast<std::uint32_t>(to.size());
  tail.from = static_cast<std::uint32_t>(from.size());
  neighbours.insert(neighbours.end(), to.begin(), to.end());
  neighbours.insert(neighbours.end(), from.begin(), from.end());
  known_neighbours.emplace(hash, tail);
  return tail;
}

format::RankEntry RankInMaking::write(Output& output) const {
  format::RankEntry entry{.sections = {}, .node = node, .cores = cores, .gap_cost_ps = gap_cost_ps};
  entry.processor = processor;
  entry.sections[format::kOperations] = output.append(std::span(operations));
  entry.sections[format::kTimes] = output.append(std::span(times));
  entry.sections[format::kRequestLists] = output.append(std::span(request_lists));
  entry.sections[format::kSendrecvs] = output.append(std::span(sendrecvs));
  entry.sections[format::kCollectives] = output.append(std::span(collectives));
  entry.sections[format::kCounts] = output.append(std::span(counts));
  entry.sections[format::kAccesses] = output.append(std::span(accesses));
  entry.sections[format::kInner] = output.append(std::span(inner));
  entry.sections[format::kInnerMessages] = output.append(std::span(inner_messages));
  entry.sections[format::kInnerAccesses] = output.append(std::span(inner_accesses));
  entry.sections[format::kOffCpu] = output.append(std::span(off_cpu));
  entry.sections[format::kReasons] = output.append(std::span(reasons));
  entry.sections[format::kNeighbourhoods] = output.append(std::span(neighbourhoods));
  entry.sections[format::kNeighbours] = output.append(std::span(neighbours));
  entry.sections[format::kRma] = output.append(std::span(rma));
  entry.sections[format::kGroups] = output.append(std::span(groups));
  return entry;
}

}  // namespace plumbline::replay
