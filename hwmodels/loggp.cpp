#include "hwmodels/loggp.hpp"

#include <algorithm>
#include <limits>

namespace plumbline::hw {
namespace {

constexpr Time kIdle{std::numeric_limits<std::int64_t>::min()};

}  // namespace

LogGP::LogGP(const Platform& platform, std::span<const std::uint32_t> nodes)
    : platform_(platform), nodes_(nodes.begin(), nodes.end()), interfaces_(nodes.size(), {kIdle, kIdle}) {}

LogGP::Wire LogGP::wire(std::uint32_t rank, std::uint32_t peer, Bytes bytes) const {
  const Transport& transport = nodes_[rank] == nodes_[peer] ? platform_.inside : platform_.between;
  const MessageRange& range = range_of(transport, bytes);
  Wire wire{range.send.value, range.latency.value, range.gap.value, {}};
  if (range.send_rate) wire.overhead += transfer_time(bytes, range.send_rate->value);
  if (range.gap_rate && bytes.count > 1) wire.serial = transfer_time({bytes.count - 1}, range.gap_rate->value);
  return wire;
}

LogGP::Departure LogGP::begin_send(std::uint32_t rank, std::uint32_t peer, Bytes bytes, Time cpu) {
  const Wire w = wire(rank, peer, bytes);
  Interface& own = interfaces_[rank];
  const Time start = std::max(cpu, own.sending);
  own.sending = start + w.gap + w.serial;
  return {start, start + w.overhead + w.latency + w.serial};
}

Time LogGP::begin_receive(std::uint32_t rank, std::uint32_t peer, Bytes bytes, Time ready) {
  const Wire w = wire(rank, peer, bytes);
  Interface& own = interfaces_[rank];
  const Time start = std::max(ready, own.receiving);
  own.receiving = start + w.gap + w.serial;
  return start;
}

}  // namespace plumbline::hw
