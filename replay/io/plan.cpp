#include "replay/io/plan.hpp"

#include <algorithm>
#include <limits>

namespace plumbline::replay::io {
namespace {

Duration time_of(const hw::FileSystem& file_system, const Accesses& accesses) {
  Duration total;
  for (const Batch& batch : accesses.batches) {
    if (batch.count == 0) continue;
    const Duration data = hw::access_time(file_system, batch.kind, hw::CacheCase::kCached, Bytes{batch.bytes});
    const Duration call = hw::access_time(file_system, batch.kind, hw::CacheCase::kCached, Bytes{0});
    total += data + call * static_cast<std::int64_t>(batch.count - 1);
  }
  return total;
}

Accesses whole_extent(hw::Access kind, std::uint64_t bytes) {
  if (kind == hw::Access::kRead) return {{Batch{kind, 1, bytes}, Batch{}}};
  return {{Batch{hw::Access::kRead, 1, bytes}, Batch{kind, 1, bytes}}};
}

std::vector<std::uint32_t> aggregators_of(std::span<const Part> parts) {
  std::vector<std::uint32_t> nodes, aggregators;
  for (std::uint32_t rank = 0; rank < parts.size(); ++rank) {
    if (parts[rank].footprint.empty()) continue;
    const auto place = std::lower_bound(nodes.begin(), nodes.end(), parts[rank].node);
    if (place != nodes.end() && *place == parts[rank].node) continue;
    nodes.insert(place, parts[rank].node);
    aggregators.push_back(rank);
  }
  return aggregators;
}

Run touched(std::span<const Part> parts) {
  Run range{std::numeric_limits<std::uint64_t>::max(), 0};
  for (const Part& part : parts) {
    if (part.footprint.empty()) continue;
    range.begin = std::min(range.begin, part.footprint.begin());
    range.end = std::max(range.end, part.footprint.end());
  }
  return range;
}

void index_by_rank(CollectivePlan& plan, std::size_t ranks) {
  plan.first_of_rank.assign(ranks + 1, 0);
  for (const Transfer& transfer : plan.transfers) ++plan.first_of_rank[transfer.rank + 1];
  for (std::size_t rank = 0; rank < ranks; ++rank) plan.first_of_rank[rank + 1] += plan.first_of_rank[rank];
  std::vector<std::uint32_t> next(plan.first_of_rank.begin(), plan.first_of_rank.end() - 1);
  plan.by_rank.resize(plan.transfers.size());
  for (std::uint32_t i = 0; i < plan.transfers.size(); ++i) plan.by_rank[next[plan.transfers[i].rank]++] = i;
}

}  // namespace

Accesses best_accesses(const hw::FileSystem& file_system, hw::Access kind, std::span<const Run> runs) {
  if (runs.empty()) return {};
  std::uint64_t bytes = 0;
  for (const Run& run : runs) bytes += run.end - run.begin;
  const Accesses each = {{Batch{kind, runs.size(), bytes}, Batch{}}};
  if (runs.size() == 1) return each;
  const Accesses whole = whole_extent(kind, runs.back().end - runs.front().begin);
  return time_of(file_system, whole) < time_of(file_system, each) ? whole : each;
}

std::vector<Part> parts_of(const Program& program, const FileViews& views, std::span<const Member> members) {
  std::vector<Part> parts;
  std::uint64_t end = 0;
  for (const Member& member : members) {
    const RankProgram& rank = program.rank(member.world_rank);
    parts.push_back({member.node, views.footprint(rank, rank.operations[member.operation], end)});
    if (!parts.back().footprint.empty()) end = std::max(end, parts.back().footprint.end());
  }
  return parts;
}

std::span<const Transfer> CollectivePlan::of_aggregator(std::uint32_t rank) const {
  const auto found = std::lower_bound(domains.begin(), domains.end(), rank,
                                      [](const Domain& domain, std::uint32_t r) { return domain.aggregator < r; });
  if (found == domains.end() || found->aggregator != rank) return {};
  return std::span(transfers).subspan(found->first_transfer, found->transfers);
}

std::span<const std::uint32_t> CollectivePlan::of_rank(std::uint32_t rank) const {
  if (first_of_rank.empty()) return {};
  return std::span(by_rank).subspan(first_of_rank[rank], first_of_rank[rank + 1] - first_of_rank[rank]);
}

CollectivePlan plan_collective(const hw::FileSystem& file_system, hw::Access kind, std::span<const Part> parts) {
  CollectivePlan plan;
  const std::vector<std::uint32_t> aggregators = aggregators_of(parts);
  if (aggregators.empty()) return plan;
  std::vector<const Footprint*> footprints;
  for (const Part& part : parts) footprints.push_back(&part.footprint);
  const Run range = touched(parts);
  const std::uint64_t share = (range.end - range.begin - 1) / aggregators.size() + 1;
  for (std::size_t i = 0; i < aggregators.size(); ++i) {
    const std::uint64_t begin = std::min(range.end, range.begin + share * i);
    const std::uint64_t end = std::min(range.end, begin + share);
    Domain domain{aggregators[i], best_accesses(file_system, kind, united(footprints, begin, end))};
    domain.first_transfer = static_cast<std::uint32_t>(plan.transfers.size());
    for (std::uint32_t rank = 0; rank < parts.size(); ++rank) {
      const std::uint64_t bytes = rank == domain.aggregator ? 0 : bytes_within(*footprints[rank], begin, end);
      if (bytes > 0) plan.transfers.push_back({rank, domain.aggregator, bytes});
    }
    domain.transfers = static_cast<std::uint32_t>(plan.transfers.size()) - domain.first_transfer;
    plan.domains.push_back(domain);
  }
  index_by_rank(plan, parts.size());
  return plan;
}

}  // namespace plumbline::replay::io
