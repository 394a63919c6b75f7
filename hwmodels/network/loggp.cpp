#include "hwmodels/network/loggp.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace plumbline::hw {
namespace {

constexpr Time kIdle{std::numeric_limits<std::int64_t>::min()};

Duration time_of(Bytes size, const std::optional<Parameter<BytesPerSecond>>& rate) {
  return rate ? transfer_time(size, rate->value) : Duration{};
}

// The time of the bytes behind the first one: G each.
Duration gaps(Bytes size, const MessageRange& range) {
  return size.count > 1 ? time_of({size.count - 1}, range.gap_rate) : Duration{};
}

}  // namespace

LogGP::LogGP(const Platform& platform, std::span<const std::uint32_t> nodes)
    : transports_(platform), nodes_(nodes), interfaces_(nodes.size(), {kIdle, kIdle}), known_(transports_.count()) {
  for (Costs& known : known_) known.size = {~std::uint64_t{0}};  // no message
}

LogGP::Departure LogGP::begin_send(std::uint32_t rank, std::uint32_t peer, Bytes size, Time cpu) {
  const Costs& cost = costs(rank, peer, size);
  Time& free = interfaces_[rank].send;
  const Time start = std::max(cpu, free);
  free = start + cost.busy;
  return {start, start + cost.flight};
}

Duration LogGP::leaves_after(std::uint32_t rank, std::uint32_t peer, Bytes size, Bytes bytes) const {
  return gaps(bytes, range_of(transports_.of(nodes_[rank], nodes_[peer]), size));
}

Time LogGP::begin_receive(std::uint32_t rank, std::uint32_t peer, Bytes size, Time ready) {
  const Costs& cost = costs(rank, peer, size);
  Time& free = interfaces_[rank].receive;
  const Time start = std::max(ready, free);
  free = start + cost.busy;
  return start;
}

const LogGP::Costs& LogGP::costs(std::uint32_t rank, std::uint32_t peer, Bytes size) {
  const std::uint32_t number = transports_.number(nodes_[rank], nodes_[peer]);
  Costs& known = known_[number];
  if (known.size == size) return known;
  const MessageRange& range = range_of(transports_[number], size);
  Costs cost;
  cost.size = size;
  const Duration bytes = gaps(size, range);
  cost.flight = range.send.value + time_of(size, range.send_rate) + range.latency.value + bytes;
  cost.busy = range.gap.value + bytes;
  return known = cost;
}

}  // namespace plumbline::hw
