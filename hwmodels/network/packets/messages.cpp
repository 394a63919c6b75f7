#include "hwmodels/network/packets/messages.hpp"

#include <algorithm>

#include "hwmodels/network/packets/notes.hpp"
#include "hwmodels/network/packets/routes.hpp"
#include "hwmodels/network/packets/users.hpp"

namespace plumbline::hw::packets {
namespace {

// Messages of more packets are worth that others who do not use their way any more leave it. Any number gives the same
// times.
constexpr std::uint64_t kFewPackets = 4;

// The number of the first packet that leaves no more than the buffer holds to those behind it. All fits: none.
std::uint32_t first_before_buffer(Bytes size, Bytes buffer, Bytes granularity) {
  if (buffer.count == 0 || size <= buffer) return kNone;
  return static_cast<std::uint32_t>(((size - buffer).count - 1) / granularity.count);
}

std::uint32_t new_message(State& state) {
  if (state.free_messages == kNone) {
    PLUMBLINE_CHECK(state.messages.size() < kIndexMask, "more than 2^28 messages are under way");
    state.messages.emplace_back();
    return static_cast<std::uint32_t>(state.messages.size() - 1);
  }
  const std::uint32_t record = state.free_messages;
  state.free_messages = state.messages[record].next;
  return record;
}

// Messages that are sent one after the other to begin in one round have one signal. Where that has been handed over, no
// other one can begin in its round.
void begin_with_others(State& state, std::uint32_t message, Instant begin, sim::EventQueue& queue) {
  if (state.newest != kNone && state.newest_begin == begin)
    state.messages[state.newest].next = message;
  else
    queue.push_signal({begin.at, begin.round, kMakes | message});
  state.newest = message;
  state.newest_begin = begin;
}

}  // namespace

std::uint32_t send(State& state, std::uint32_t message, std::uint32_t source_node, std::uint32_t target_node,
                   Bytes size, std::uint32_t source_rank, std::uint32_t sequence, Time now, sim::EventQueue& queue,
                   const SendOptions& options) {
  PLUMBLINE_CHECK(state.options.holds || (!options.piecewise && !options.available),
                  "a message of parts is not expected");
  PLUMBLINE_CHECK(size.count / state.sizes.granularity.count < kMostPackets, "a message of more than 2^31 packets");
  const std::uint32_t index = new_message(state);
  Message& record = state.messages[index];
  record = {};
  record.left = size;
  record.available = options.available.value_or(size);
  PLUMBLINE_CHECK(record.available <= size, "no more is available than the message has");
  record.id = message;
  record.source_rank = source_rank;
  record.sequence = sequence;
  state.queue = &queue;
  record.pair = pair_between(state, source_node, target_node);
  record.piecewise = options.piecewise;
  record.tells_sent = options.tells_sent;
  record.fits_buffer = options.buffer.count > 0 && size <= options.buffer;
  record.buffers = first_before_buffer(size, options.buffer, state.sizes.granularity);
  record.barred = options.piecewise || options.available || (size + state.sizes.header).count == 0;
  record.is_long = size.count / state.sizes.granularity.count > kFewPackets;
  ++state.messages_under_way;
  begin_with_others(state, index, {now, queue.earliest_round(now)}, queue);
  return index;
}

void provide(State& state, std::uint32_t message, Bytes more, Time now, sim::EventQueue& queue) {
  Message& record = state.messages[message];
  record.available += more;
  PLUMBLINE_CHECK(record.available <= record.left, "no more is provided than the message has");
  if (!record.starved || !next_is_available(state, record)) return;
  record.starved = false;
  queue.push_signal({now, queue.earliest_round(now), kMakes | message});
}

bool next_is_available(const State& state, const Message& message) {
  return message.available >= std::min(message.left, state.sizes.granularity);
}

std::uint32_t packet_slot(State& state) {
  const std::uint32_t index = state.free_packets;
  if (index != kNone) {
    state.free_packets = state.packets[index].next;
    return index;
  }
  PLUMBLINE_CHECK(state.packets.size() < kIndexMask, "more than 2^28 packets are under way");
  state.packets.emplace_back();
  return static_cast<std::uint32_t>(state.packets.size() - 1);
}

std::uint32_t new_packet(State& state, std::uint32_t message) {
  Message& record = state.messages[message];
  const std::uint32_t number = record.packets++;
  const Bytes payload = std::min(record.left, state.sizes.granularity);
  record.left = record.left - payload;
  record.available = record.available - payload;
  const std::uint32_t index = packet_slot(state);
  Packet& packet = state.packets[index];
  packet.size = number == 0 ? payload + state.sizes.header : payload;
  packet.service = {};
  packet.message = message;
  packet.next = kNone;
  packet.number = number & kMostPackets;
  packet.last = record.left.count == 0 ? 1U : 0U;
  return index;
}

Bytes payload(const State& state, const Packet& packet) {
  return packet.number == 0 ? packet.size - state.sizes.header : packet.size;
}

void end_message(State& state, std::uint32_t index) {
  Message& message = state.messages[index];
  note(state, Notification::Kind::kDelivered, message, {});
  if (state.options.express) {
    Pair& pair = state.pairs[message.pair];
    pair.barred -= message.barred ? 1 : 0;
    if (message.is_long) --state.express.long_messages;
    if (--pair.messages == 0) stay_registered(state, message.pair);
  }
  message.next = state.free_messages;
  state.free_messages = index;
  --state.messages_under_way;
}

}  // namespace plumbline::hw::packets
