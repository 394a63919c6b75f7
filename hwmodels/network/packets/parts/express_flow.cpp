#include "hwmodels/network/packets/parts/express_flow.hpp"

#include <algorithm>

namespace plumbline::hw {

void ExpressFlow::advance(const packets::PairQueue* pair_queues) {
  const std::size_t last = size_ - 1;
  ExpressPacket& packet = back();
  Instant begin = packet.arrival;
  for (std::uint32_t hop = packet.entry; hop < hops_; ++hop) {
    const packets::PairQueue& pair_queue = pair_queues[hop];
    Passage& passage_here = passage(last, hop);
    if (last > 0 && (*this)[last - 1].entry <= hop) {
      begin = std::max(begin, passage(last - 1, hop).end());
      if (hop + 1 < hops_) {
        const std::optional<Instant> open = reopening(last - 1, hop, pair_queue);
        if (open) begin = std::max(begin, *open);
      }
    }
    passage_here.begin = begin;
    begin = {begin.at + passage_here.service + (hop + 1 < hops_ ? latency_[hop] : Duration{}), 0};
  }
  packet.end = begin.at;
  for (std::uint32_t hop = packet.entry; hop < hops_; ++hop)
    if (is_blocked_by(last, hop, pair_queues[hop])) packet.blocked |= std::uint64_t{1} << hop;
}

Instant ExpressFlow::arrival(std::size_t i, std::uint32_t hop) const {
  if (hop == (*this)[i].entry) return (*this)[i].arrival;
  return {passage(i, hop - 1).end().at + latency_[hop - 1], 0};
}

std::optional<Instant> ExpressFlow::reopening(std::size_t i, std::uint32_t hop,
                                              const packets::PairQueue& pair_queue) const {
  Duration used;
  for (std::size_t k = i + 1; k-- > 0 && (*this)[k].entry <= hop;) {
    used += passage(k, hop).service;
    if (used >= pair_queue.window) return release(k, hop);
  }
  return std::nullopt;
}

// Whether the window is closed once packet i has begun.
bool ExpressFlow::is_blocked_by(std::size_t i, std::uint32_t hop, const packets::PairQueue& pair_queue) const {
  const Instant begin = passage(i, hop).begin;
  Duration used;
  for (std::size_t k = i + 1; k-- > 0 && (*this)[k].entry <= hop && release(k, hop) > begin;) {
    used += passage(k, hop).service;
    if (used >= pair_queue.window) return true;
  }
  return false;
}

void ExpressFlow::grow() {
  const std::size_t old = packets_.size(), more = std::max<std::size_t>(8, 2 * old);
  std::vector<ExpressPacket> packets(more);
  std::vector<Passage> passages(more * hops_);
  for (std::size_t i = 0; i < size_; ++i) {
    packets[i] = (*this)[i];
    for (std::uint32_t hop = 0; hop < hops_; ++hop) passages[i * hops_ + hop] = passage(i, hop);
  }
  packets_.swap(packets);
  passages_.swap(passages);
  first_ = 0;
}

}  // namespace plumbline::hw
