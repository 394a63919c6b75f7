#include "replay/mpi/transfers/costs.hpp"

#include <algorithm>
#include <limits>

#include "base/check.hpp"

namespace plumbline::replay::mpi {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

Duration with_rate(const hw::Parameter<Duration>& fixed, const std::optional<hw::Parameter<BytesPerSecond>>& rate,
                   std::uint64_t bytes) {
  return rate ? fixed.value + transfer_time(Bytes{bytes}, rate->value) : fixed.value;
}

// `control`: latency of a message of the protocol.
MessageCost cost_of(const hw::MessageRange& range, Duration control, std::uint64_t bytes) {
  MessageCost cost{with_rate(range.send, range.send_rate, bytes), with_rate(range.receive, range.receive_rate, bytes),
                   range.latency.value, range.protocol == hw::Protocol::kRendezvous};
  if (cost.rendezvous) cost.behind = std::max(cost.latency - control, Duration{});
  cost.latency = cost.latency - cost.behind;
  return cost;
}

MessageCost free_of_time() {
  MessageCost cost;
  cost.in_sample = true;
  return cost;
}

// The largest size before the first rendezvous range.
std::uint64_t eager_up_to(const hw::Transport& transport) {
  std::uint64_t limit = 0;
  for (const hw::MessageRange& range : transport.ranges) {
    if (range.protocol == hw::Protocol::kRendezvous) return limit;
    limit = range.upto ? range.upto->count : kUnlimited;
  }
  return kUnlimited;
}

}  // namespace

Costs::Costs(const hw::Platform& platform) : transports_(platform), always_eager_(kUnlimited) {
  for (std::uint32_t transport = 0; transport < transports_.count(); ++transport) {
    Known& known = known_.emplace_back();
    const std::vector<hw::MessageRange>& ranges = transports_[transport].ranges;
    if (!ranges.empty()) known.control_latency = ranges.front().latency.value;
    for (const hw::MessageRange& range : ranges)
      known.ranges.push_back(
          {&range, range.upto ? range.upto->count : kUnlimited, 0, cost_of(range, known.control_latency, 0)});
    if (!known.ranges.empty()) known.control = known.ranges.front().known;
    if (platform.network == hw::NetworkKind::kSampled) known.control = free_of_time();
    always_eager_ = std::min(always_eager_, eager_up_to(transports_[transport]));
  }
}

bool Costs::any_thread() const {
  for (std::uint32_t transport = 0; transport < transports_.count(); ++transport)
    if (transports_[transport].progress == hw::Progress::kThread) return true;
  return false;
}

const MessageCost& Costs::of(TransportId transport, std::uint64_t bytes) {
  for (Range& range : known_[transport].ranges) {
    if (bytes > range.upto) continue;
    if (range.known_size != bytes) {
      range.known_size = bytes;
      range.known = cost_of(*range.range, known_[transport].control_latency, bytes);
    }
    return range.known;
  }
  check_failed(__FILE__, __LINE__, "bytes <= last range", "a transport that is used has an open last range");
}

}  // namespace plumbline::replay::mpi
