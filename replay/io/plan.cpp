#include "replay/io/plan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

Accesses whole_extent(hw::Access kind, const ByteRange& extent) {
  const Batch whole{kind, 1, extent.end - extent.begin, extent.begin};
  if (kind == hw::Access::kRead) return {{whole, Batch{}}};
  Batch read = whole;
  read.kind = hw::Access::kRead;
  return {{read, whole}};
}

bool takes_lists(const hw::FileSystem& file_system) { return !file_system.distribution.servers.empty(); }

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

std::uint64_t round_up(std::uint64_t number, std::uint64_t unit) { return (number + unit - 1) / unit * unit; }

ByteRange touched(std::span<const Part> parts) {
  ByteRange range{std::numeric_limits<std::uint64_t>::max(), 0};
  for (const Part& part : parts) {
    if (part.footprint.empty()) continue;
    range.begin = std::min(range.begin, part.footprint.begin());
    range.end = std::max(range.end, part.footprint.end());
  }
  return range;
}

}  // namespace

Accesses best_accesses(const hw::FileSystem& file_system, hw::Access kind, std::span<const ByteRange> runs) {
  if (runs.empty()) return {};
  std::uint64_t bytes = 0;
  for (const ByteRange& run : runs) bytes += run.end - run.begin;
  const ByteRange extent = {runs.front().begin, runs.back().end};
  const std::uint64_t stride = (extent.end - extent.begin) / runs.size();
  const Accesses each = {{Batch{kind, runs.size(), bytes, extent.begin, stride}, Batch{}}};
  if (takes_lists(file_system)) return {{Batch{kind, 1, bytes, extent.begin, 0}, Batch{}}};
  if (runs.size() == 1) return each;
  const Accesses whole = whole_extent(kind, extent);
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

void index_by_rank(std::span<const Transfer> transfers, std::size_t ranks, std::vector<std::uint32_t>& by_rank,
                   std::vector<std::uint32_t>& first_of_rank) {
  first_of_rank.assign(ranks + 1, 0);
  for (const Transfer& transfer : transfers) ++first_of_rank[transfer.rank];
  for (std::size_t rank = 1; rank <= ranks; ++rank) first_of_rank[rank] += first_of_rank[rank - 1];
  by_rank.resize(transfers.size());
  for (std::size_t i = transfers.size(); i-- > 0;)
    by_rank[--first_of_rank[transfers[i].rank]] = static_cast<std::uint32_t>(i);
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
  const ByteRange range = touched(parts);
  const std::uint64_t unit = takes_lists(file_system) ? file_system.distribution.stripe.count : 1;
  const std::uint64_t first = range.begin / unit * unit;
  const std::uint64_t share = round_up((range.end - first - 1) / aggregators.size() + 1, unit);
  for (std::size_t i = 0; i < aggregators.size(); ++i) {
    const std::uint64_t begin = std::clamp(first + share * i, range.begin, range.end);
    const std::uint64_t end = std::min(range.end, first + share * (i + 1));
    if (unit > 1 && begin >= end) break;
    std::vector<ByteRange> runs = united(footprints, begin, end);
    Domain domain{aggregators[i], best_accesses(file_system, kind, runs)};
    if (takes_lists(file_system)) domain.list = std::move(runs);
    domain.first_transfer = static_cast<std::uint32_t>(plan.transfers.size());
    for (std::uint32_t rank = 0; rank < parts.size(); ++rank) {
      const std::uint64_t bytes = rank == domain.aggregator ? 0 : bytes_within(*footprints[rank], begin, end);
      if (bytes > 0) plan.transfers.push_back({rank, domain.aggregator, bytes});
    }
    domain.transfers = static_cast<std::uint32_t>(plan.transfers.size()) - domain.first_transfer;
    plan.domains.push_back(std::move(domain));
  }
  index_by_rank(plan.transfers, parts.size(), plan.by_rank, plan.first_of_rank);
  return plan;
}

}  // namespace plumbline::replay::io
