#include "hwmodels/network/sampled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"

namespace plumbline::hw {
namespace {

constexpr double kMedian = 0.5;

// To the nearest picosecond.
Duration scaled(Duration duration, double factor) {
  constexpr double kEndOfTime = 9e18;
  const double ps = static_cast<double>(duration.ps) * factor;
  if (ps > kEndOfTime) [[unlikely]]
    time_overflow();
  return {static_cast<std::int64_t>(ps + (ps < 0 ? -0.5 : 0.5))};
}

Duration between(Duration low, Duration high, double to_high) { return low + scaled(high - low, to_high); }

// Of the median of the largest size, per byte: as from the size before to it, never down; from nothing where it is
// alone.
double growth_of(Bytes size, Duration median, const std::optional<std::pair<Bytes, Duration>>& before) {
  if (median.ps == 0) return 0;
  if (!before) return size.count == 0 ? 0 : 1 / static_cast<double>(size.count);
  const double grown = static_cast<double>(std::max(median - before->second, Duration{}).ps);
  return grown / static_cast<double>(median.ps) / static_cast<double>((size - before->first).count);
}

}  // namespace

TimesOfRange::TimesOfRange(const std::vector<MessageTimes>& times) {
  PLUMBLINE_CHECK(!times.empty(), "a range of a sampled network has times");
  std::map<std::pair<std::uint64_t, std::uint32_t>, const MessageTimes*> in_order;
  for (const MessageTimes& each : times) in_order[{each.size.count, each.in_flight}] = &each;
  for (const auto& [key, each] : in_order) {
    if (sizes_.empty() || sizes_.back().size != each->size) sizes_.push_back({each->size, {}, {}});
    sizes_.back().in_flight.push_back(each->in_flight);
    sizes_.back().tables.emplace_back(each->quantiles);
    most_in_flight_ = std::max(most_in_flight_, each->in_flight);
  }
  const auto median = [&](const OfSize& of) { return of.tables.front().at(kMedian); };
  const OfSize& largest = sizes_.back();
  std::optional<std::pair<Bytes, Duration>> before;
  if (sizes_.size() > 1) before = {sizes_[sizes_.size() - 2].size, median(sizes_[sizes_.size() - 2])};
  growth_ = growth_of(largest.size, median(largest), before);
}

Duration TimesOfRange::OfSize::at(std::uint32_t number, double share) const {
  const auto above = std::ranges::upper_bound(in_flight, number);
  const auto i = static_cast<std::size_t>(above - in_flight.begin());
  if (i == 0) return tables.front().at(share);
  const Duration low = tables[i - 1].at(share);
  if (i == tables.size() || in_flight[i - 1] == number) return low;
  const double to_high =
      static_cast<double>(number - in_flight[i - 1]) / static_cast<double>(in_flight[i] - in_flight[i - 1]);
  return between(low, tables[i].at(share), to_high);
}

TimesOfRange::Place TimesOfRange::place_of(Bytes size) const {
  Place place{.size = size};
  const auto above = std::ranges::upper_bound(sizes_, size, {}, &OfSize::size);
  if (above == sizes_.begin()) return place;
  place.lower = static_cast<std::uint32_t>(above - sizes_.begin()) - 1;
  const double more = static_cast<double>((size - sizes_[place.lower].size).count);
  if (above == sizes_.end())
    place.scale = 1 + growth_ * more;
  else
    place.to_next = more / static_cast<double>((above->size - sizes_[place.lower].size).count);
  return place;
}

Duration TimesOfRange::at(Bytes size, std::uint32_t in_flight, double share) {
  if (known_.size != size) known_ = place_of(size);
  const Duration time = sizes_[known_.lower].at(in_flight, share);
  if (known_.to_next > 0) return between(time, sizes_[known_.lower + 1].at(in_flight, share), known_.to_next);
  return known_.scale > 1 ? scaled(time, known_.scale) : time;
}

Sampled::Sampled(const Platform& platform, std::span<const std::uint32_t> nodes, const SamplingOptions& options)
    : options_(options), transports_(platform), nodes_(nodes), in_flight_(platform.nodes.size() + 1) {
  for (std::uint32_t number = 0; number < transports_.count(); ++number) {
    std::vector<Range>& ranges = ranges_.emplace_back();
    for (const MessageRange& range : transports_[number].ranges)
      ranges.push_back({range.upto, TimesOfRange(range.times), range.gap.value,
                        range.gap_rate ? std::optional(range.gap_rate->value) : std::nullopt});
  }
  if (options_.share) return;
  streams_.reserve(nodes.size());
  for (std::size_t rank = 0; rank < nodes.size(); ++rank)
    streams_.emplace_back(options_.seed, fmt::format("messages of rank {}", rank));
}

Sampled::Range& Sampled::range_of(std::uint32_t from, std::uint32_t to, Bytes size) {
  std::vector<Range>& ranges = ranges_[transports_.number(nodes_[from], nodes_[to])];
  const auto range = std::ranges::find_if(ranges, [&](const Range& r) { return !r.upto || size <= *r.upto; });
  PLUMBLINE_CHECK(range != ranges.end(), "a transport that is used has an open last range");
  return *range;
}

Duration Sampled::busy(std::uint32_t from, std::uint32_t to, Bytes size) {
  const Range& range = range_of(from, to, size);
  const bool by_bytes = range.gap_rate && size.count > 1;
  return range.gap + (by_bytes ? transfer_time({size.count - 1}, *range.gap_rate) : Duration{});
}

Duration Sampled::one_way(std::uint32_t from, std::uint32_t to, Bytes size, double share) {
  Range& range = range_of(from, to, size);
  const std::uint32_t number = in_flight(from, to);
  if (number > range.times.most_in_flight()) ++beyond_measured_;
  return range.times.at(size, number, share);
}

}  // namespace plumbline::hw
