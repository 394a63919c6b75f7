#include "replay/mpi/costs.hpp"

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

MessageCost Costs::compute(const hw::MessageRange& range, std::uint64_t bytes) {
  return {with_rate(range.send, range.send_rate, bytes), with_rate(range.receive, range.receive_rate, bytes),
          range.latency.value, range.protocol == hw::Protocol::kRendezvous};
}

Costs::Costs(const hw::Platform& platform)
    : always_eager_(std::min(eager_up_to(platform.inside), eager_up_to(platform.between))) {
  for (const bool inside : {false, true})
    for (const hw::MessageRange& range : (inside ? platform.inside : platform.between).ranges)
      transports_[inside].push_back({range, range.upto ? range.upto->count : kUnlimited, 0, compute(range, 0)});
}

const MessageCost& Costs::of(bool inside, std::uint64_t bytes) {
  for (Range& range : transports_[inside]) {
    if (bytes > range.upto) continue;
    if (range.known_size != bytes) {
      range.known_size = bytes;
      range.known = compute(range.range, bytes);
    }
    return range.known;
  }
  check_failed(__FILE__, __LINE__, "bytes <= last range", "a transport that is used has an open last range");
}

}  // namespace plumbline::replay::mpi
