#include "hwmodels/network/packets/store_and_forward.hpp"

#include <algorithm>

namespace plumbline::hw {
namespace {

// `with_empty`: there may be packets of no bytes. One that is served right behind another reaches the next component
// together with it where that is a latency away, and content orders the two; else it comes a round later.
packets::Grants grants_of(Feed feed, bool holds, bool with_empty) {
  switch (feed) {
    case Feed::kEnd:
    case Feed::kWhole:
      return holds ? packets::Grants::kDecided : packets::Grants::kGranted;
    case Feed::kMany:
      return packets::Grants::kGranted;
    case Feed::kOneLater:
      return with_empty ? packets::Grants::kGranted : packets::Grants::kPreGranted;
    case Feed::kOne:
      break;
  }
  return packets::Grants::kPreGranted;
}

// Messages of more packets are worth that others who do not use their way any more leave it. Any number gives the same
// times.
constexpr std::uint64_t kFewPackets = 4;

// The number of the first packet that leaves no more than the buffer holds to those behind it. All fits: none.
std::uint32_t first_before_buffer(Bytes size, Bytes buffer, Bytes granularity) {
  if (buffer.count == 0 || size <= buffer) return packets::kNone;
  return static_cast<std::uint32_t>(((size - buffer).count - 1) / granularity.count);
}

}  // namespace

StoreAndForward::StoreAndForward(Topology& topology, const Packets& packets, NetworkOptions options)
    : topology_(topology),
      sizes_(packets),
      options_(options),
      servers_(topology.components().size()),
      users_(servers_.size()) {
  PLUMBLINE_CHECK(packets.granularity.count > 0, "a packet has room for payload");
  PLUMBLINE_CHECK(servers_.size() <= kIndexMask, "a network of more than 2^28 components");
  const bool with_empty = sizes_.header.count == 0;
  for (std::uint32_t id = 0; id < servers_.size(); ++id) {
    servers_[id].latency = topology_.components()[id].latency;
    if (options_.express) servers_[id].grants = grants_of(topology_.feed(id), options_.holds, with_empty);
  }
  if (sizes_.send_queue.value > sizes_.granularity) make_send_queues();
}

StoreAndForward::Handle StoreAndForward::send(std::uint32_t message, std::uint32_t source_node,
                                              std::uint32_t target_node, Bytes size, std::uint32_t source_rank,
                                              std::uint32_t sequence, Time now, sim::EventQueue& queue,
                                              const SendOptions& options) {
  PLUMBLINE_CHECK(options_.holds || (!options.piecewise && !options.available), "a message of parts is not expected");
  PLUMBLINE_CHECK(size.count / sizes_.granularity.count < packets::kMostPackets, "a message of more than 2^31 packets");
  const std::uint32_t index = new_message();
  Message& record = messages_[index];
  record = {};
  record.left = size;
  record.available = options.available.value_or(size);
  PLUMBLINE_CHECK(record.available <= size, "no more is available than the message has");
  record.id = message;
  record.source_rank = source_rank;
  record.sequence = sequence;
  queue_ = &queue;
  record.pair = pair_between(source_node, target_node);
  record.piecewise = options.piecewise;
  record.tells_sent = options.tells_sent;
  record.fits_buffer = options.buffer.count > 0 && size <= options.buffer;
  record.buffers = first_before_buffer(size, options.buffer, sizes_.granularity);
  record.barred = options.piecewise || options.available || (size + sizes_.header).count == 0;
  record.is_long = size.count / sizes_.granularity.count > kFewPackets;
  ++messages_under_way_;
  begin_with_others(index, {now, queue.earliest_round(now)}, queue);
  return index;
}

// Messages that are sent one after the other to begin in one round have one signal. Where that has been handed over, no
// other one can begin in its round.
void StoreAndForward::begin_with_others(std::uint32_t message, Instant begin, sim::EventQueue& queue) {
  if (newest_ != kNone && newest_begin_ == begin)
    messages_[newest_].next = message;
  else
    queue.push_signal({begin.at, begin.round, kMakes | message});
  newest_ = message;
  newest_begin_ = begin;
}

void StoreAndForward::provide(Handle message, Bytes more, Time now, sim::EventQueue& queue) {
  Message& record = messages_[message];
  record.available += more;
  PLUMBLINE_CHECK(record.available <= record.left, "no more is provided than the message has");
  if (!record.starved || !next_is_available(record)) return;
  record.starved = false;
  queue.push_signal({now, queue.earliest_round(now), kMakes | message});
}

void StoreAndForward::hold(std::uint32_t node) {
  PLUMBLINE_CHECK(options_.holds, "no node is expected to be held");
  if (held_.size() <= node) held_.resize(node + 1);
  if (held_[node]) return;
  held_[node] = true;
  if (node >= ends_.size()) return;
  const Time now = queue_->now();
  const Round round{now, queue_->earliest_round(now), *queue_};
  for (const std::uint32_t component : ends_[node]) hold_component(component, round);
  if (!candidates_.empty()) queue_->push_signal({now, round.number, kGoesOn});
}

void StoreAndForward::hold_component(std::uint32_t component, const Round& round) {
  ComponentState& server = servers_[component];
  ++server.held;
  if (users_[component].count == 1) keep_to_what_is_alone(pairs_[users_[component].only], round);
}

void StoreAndForward::resume(std::uint32_t node, Time now, sim::EventQueue& queue) {
  if (node >= held_.size() || !held_[node]) return;
  held_[node] = false;
  if (node >= ends_.size()) return;
  for (const std::uint32_t component : ends_[node])
    if (let_go(component)) queue.push_signal({now, queue.earliest_round(now), kWakes | component});
}

// Whether nobody holds it any more.
bool StoreAndForward::let_go(std::uint32_t component) {
  ComponentState& server = servers_[component];
  if (--server.held > 0) return false;
  if (users_[component].count == 1) pairs_[users_[component].only].stale = true;
  return true;
}

std::uint32_t StoreAndForward::pair_between(std::uint32_t source_node, std::uint32_t target_node) {
  const std::uint32_t known = pair_of_.find(source_node, target_node);
  if (known != PairTable::kUnknown) return known;
  const std::uint32_t index = static_cast<std::uint32_t>(pairs_.size());
  Pair pair;
  pair.source_node = source_node;
  pair.target_node = target_node;
  pair.first = static_cast<std::uint32_t>(pair_queues_.size());
  for (const Hop& hop : topology_.hops(source_node, target_node)) {
    const ComponentState& server = servers_[hop.component];
    PairQueue& pair_queue = pair_queues_.emplace_back();
    pair_queue.component = hop.component;
    components_.push_back(hop.component);
    pair_queue.pair = index;
    pair_queue.rate = rate_index(hop.rate);
    pair_queue.window = server.latency + service_time(pair_queue, sizes_.granularity);
    pair_queue.queues = hop.first_cable && has_send_queues();
    if (pair_queue.queues) pair_queue.window += service_time(pair_queue, sizes_.granularity);
    pair_queue.ends_service = server.grants == packets::Grants::kDecided && server.latency.ps == 0;
    ++pair.hops;
  }
  pair.express_from = pair.hops;
  pair_queues_[pair.first].first = true;
  pair_queues_.back().last = true;
  pair_queues_.back().ends_service = servers_[pair_queues_.back().component].grants == packets::Grants::kDecided;
  pair_queues_.back().whole =
      !pair_queues_.back().ends_service && topology_.feed(pair_queues_.back().component) == Feed::kWhole;
  PLUMBLINE_CHECK(pair_queues_.size() <= kIndexMask, "more than 2^28 components in the routes of all pairs");
  pairs_.push_back(pair);
  pair_of_.add(source_node, target_node, index);
  return index;
}

std::uint32_t StoreAndForward::rate_index(BytesPerSecond rate) {
  const auto [known, is_new] = rates_.emplace(rate.count, static_cast<std::uint32_t>(service_times_.size()));
  if (is_new) service_times_.emplace_back(rate);
  return known->second;
}

void StoreAndForward::add_end(std::uint32_t node, std::uint32_t component, const Round& round) {
  if (ends_.size() <= node) ends_.resize(node + 1);
  std::vector<std::uint32_t>& ends = ends_[node];
  if (std::find(ends.begin(), ends.end(), component) != ends.end()) return;
  ends.push_back(component);
  if (node < held_.size() && held_[node]) hold_component(component, round);
}

std::uint32_t StoreAndForward::new_message() {
  if (free_messages_ == kNone) {
    PLUMBLINE_CHECK(messages_.size() < kIndexMask, "more than 2^28 messages are under way");
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t record = free_messages_;
  free_messages_ = messages_[record].next;
  return record;
}

}  // namespace plumbline::hw
