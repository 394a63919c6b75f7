#include "replay/io/romio.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace plumbline::replay::io {
namespace {

std::uint64_t nearest_multiple(std::uint64_t value, std::uint64_t unit) {
  const std::uint64_t front = value % unit, back = unit - front;
  return front < back ? value - front : value + back;
}

// ---- The list of aggregators (cb_config_list.c)

struct HostShare {
  std::string_view processor;  // or "*"
  std::size_t most = 1;
};

// Takes the first item off the list.
HostShare next_share(std::string_view& list, std::size_t cb_nodes) {
  const std::size_t comma = list.find(',');
  const std::string_view item = list.substr(0, comma);
  list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  const std::size_t colon = item.find(':');
  HostShare share{item.substr(0, colon)};
  if (colon == std::string_view::npos) return share;
  const std::string_view number = item.substr(colon + 1);
  if (number == "*") share.most = cb_nodes;
  if (std::from_chars(number.data(), number.data() + number.size(), share.most).ptr != number.data() + number.size() &&
      number != "*")
    share.most = 1;
  return share;
}

// Up to `most` ranks of that processor, in order; none of its ranks is free afterwards.
void take(std::string_view processor, std::size_t most, std::span<const std::string> processors,
          std::vector<bool>& taken, std::size_t limit, std::vector<std::uint32_t>& aggregators) {
  for (std::size_t rank = 0; rank < processors.size(); ++rank) {
    if (taken[rank] || processors[rank] != processor) continue;
    taken[rank] = true;
    if (most == 0 || aggregators.size() == limit) continue;
    --most;
    aggregators.push_back(static_cast<std::uint32_t>(rank));
  }
}

}  // namespace

std::vector<std::uint32_t> romio_aggregators(std::span<const std::string> processors, std::string_view cb_config_list,
                                             std::uint32_t cb_nodes) {
  const std::size_t ranks = processors.size();
  const std::size_t limit = cb_nodes == 0 || cb_nodes > ranks ? ranks : cb_nodes;
  std::vector<std::uint32_t> aggregators;
  if (cb_config_list == "*:*") {  // ranks in order, whatever their processors
    for (std::uint32_t rank = 0; rank < limit; ++rank) aggregators.push_back(rank);
    return aggregators;
  }
  std::vector<bool> taken(ranks, false);
  while (!cb_config_list.empty() && aggregators.size() < limit) {
    const HostShare share = next_share(cb_config_list, limit);
    if (share.processor != "*") {
      take(share.processor, share.most, processors, taken, limit, aggregators);
      continue;
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
      if (!taken[rank]) take(processors[rank], share.most, processors, taken, limit, aggregators);
  }
  return aggregators;
}

RomioExtent romio_extent(bool empty, std::uint64_t begin, std::uint64_t end, bool file_has_gaps) {
  const auto first = static_cast<std::int64_t>(begin);
  if (empty) return {first, file_has_gaps ? 0 : first - 1};
  return {first, static_cast<std::int64_t>(end) - 1};
}

bool romio_collects(RomioSwitch collective_buffering, std::span<const RomioExtent> extents) {
  if (collective_buffering != RomioSwitch::kAutomatic) return collective_buffering == RomioSwitch::kEnable;
  for (std::size_t rank = 1; rank < extents.size(); ++rank) {
    const RomioExtent& before = extents[rank - 1];
    const RomioExtent& own = extents[rank];
    if (own.first < before.last && own.first <= own.last) return true;
  }
  return false;
}

std::vector<ByteRange> romio_domains(const RomioHints& hints, std::size_t aggregators,
                                     std::span<const RomioExtent> extents) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  for (const RomioExtent& extent : extents) {
    first = std::min(first, extent.first);
    last = std::max(last, extent.last);
  }
  if (last < first) return std::vector<ByteRange>(aggregators);
  const auto begin = static_cast<std::uint64_t>(first), end = static_cast<std::uint64_t>(last) + 1;
  const std::uint64_t share = std::max((end - begin - 1) / aggregators + 1, hints.romio_min_fdomain_size);
  std::vector<ByteRange> domains(aggregators);
  std::uint64_t from = begin;
  for (std::size_t i = 0; i < aggregators; ++i) {
    std::uint64_t border = begin + share * (i + 1);
    if (hints.striping_unit > 0) border = i + 1 == aggregators ? end : nearest_multiple(border, hints.striping_unit);
    border = std::max(from, std::min(border, end));
    domains[i] = {from, border};
    from = border;
  }
  return domains;
}

}  // namespace plumbline::replay::io
