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

MessageCost cost_of(const hw::MessageRange& range, std::uint64_t bytes) {
  return {with_rate(range.send, range.send_rate, bytes), with_rate(range.receive, range.receive_rate, bytes),
          range.latency.value, range.protocol == hw::Protocol::kRendezvous};
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

bool within(std::uint32_t node, std::uint32_t first, std::uint32_t last) { return first <= node && node <= last; }

bool holds(const hw::PairTransport& pair, std::uint32_t a, std::uint32_t b) {
  const auto one_way = [&](std::uint32_t x, std::uint32_t y) {
    return within(x, pair.first_a, pair.last_a) && within(y, pair.first_b, pair.last_b);
  };
  return one_way(a, b) || one_way(b, a);
}

}  // namespace

Costs::Costs(const hw::Platform& platform) : always_eager_(kUnlimited) {
  add(platform.between);
  add(platform.inside);
  for (const hw::PairTransport& pair : platform.pairs) add(pair.transport);
  if (!platform.pairs.empty()) classify(platform);
}

void Costs::add(const hw::Transport& transport) {
  Known known;
  for (const hw::MessageRange& range : transport.ranges)
    known.ranges.push_back({&range, range.upto ? range.upto->count : kUnlimited, 0, cost_of(range, 0)});
  if (!known.ranges.empty()) known.control = known.ranges.front().known;
  known.progress = transport.progress;
  known.ordered = transport.ordered;
  transports_.push_back(std::move(known));
  always_eager_ = std::min(always_eager_, eager_up_to(transport));
}

// The ends of all ranges cut the nodes into classes.
void Costs::classify(const hw::Platform& platform) {
  std::vector<std::uint32_t> begins = {0};
  for (const hw::PairTransport& pair : platform.pairs)
    for (const std::uint32_t begin : {pair.first_a, pair.last_a + 1, pair.first_b, pair.last_b + 1})
      begins.push_back(begin);
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  const auto nodes = static_cast<std::uint32_t>(platform.nodes.size());
  while (begins.size() > 1 && begins.back() >= nodes) begins.pop_back();
  classes_ = static_cast<std::uint32_t>(begins.size());
  for (std::uint32_t node = 0, last = 0; node < nodes; ++node) {
    while (last + 1 < classes_ && begins[last + 1] <= node) ++last;
    class_of_.push_back(last);
  }
  by_class_.assign(std::size_t{classes_} * classes_, kBetween);
  for (std::uint32_t a = 0; a < classes_; ++a)
    for (std::uint32_t b = 0; b < classes_; ++b)
      for (std::size_t pair = 0; pair < platform.pairs.size(); ++pair)
        if (holds(platform.pairs[pair], begins[a], begins[b]))
          by_class_[std::size_t{a} * classes_ + b] = static_cast<TransportId>(kFirstPair + pair);
}

bool Costs::any_thread() const {
  return std::any_of(transports_.begin(), transports_.end(),
                     [](const Known& known) { return known.progress == hw::Progress::kThread; });
}

const MessageCost& Costs::of(TransportId transport, std::uint64_t bytes) {
  for (Range& range : transports_[transport].ranges) {
    if (bytes > range.upto) continue;
    if (range.known_size != bytes) {
      range.known_size = bytes;
      range.known = cost_of(*range.range, bytes);
    }
    return range.known;
  }
  check_failed(__FILE__, __LINE__, "bytes <= last range", "a transport that is used has an open last range");
}

}  // namespace plumbline::replay::mpi
