#include "tracer/record/message_ends.hpp"

#include <cstring>

#include "tracer/record/failed_calls.hpp"

namespace plumbline::record {

void MessageEnds::take(const spool::Record& record) {
  if (record.function >= PL_DEFINITIONS) return;
  const Words words(record.payload);
  const std::uint32_t layout = facts_.function(record.function).layout;
  if (record.error != PL_ERROR_NONE && !has_effect_in_spite_of(record.error, layout)) return;
  switch (layout) {
    case PL_LAYOUT_SEND:
      return send(words, record.begin);
    case PL_LAYOUT_RECV:
      if (words.high(2) != 0) return post(words);
      if (record.done) receive(words.low(2), words.low_signed(3), words.high_signed(3), record.end);
      return;
    case PL_LAYOUT_SENDRECV:
      send(words, record.begin);
      if (record.done) receive(words.low(2), words.low_signed(5), words.high_signed(5), record.end);
      return;
    case PL_LAYOUT_ISENDRECV:
      send(words, record.begin);
      return post(Words(record.payload.subspan(std::min<std::size_t>(3, record.payload.size()))));
    case PL_LAYOUT_START:
      return start(words, record.begin);
    case PL_LAYOUT_WAIT:
      if (record.done) wait(words, record.end);
      return;
    default:
      return;
  }
}

std::optional<std::uint32_t> MessageEnds::world_rank(std::uint32_t comm, std::int32_t rank) const {
  if (rank < 0) return {};
  if (comm == PL_COMM_WORLD) return static_cast<std::uint32_t>(rank);
  const auto fact = facts_.comms.find(comm);
  if (fact == facts_.comms.end()) return {};
  const std::vector<std::uint32_t>& peers = fact->second.remote.empty() ? fact->second.members : fact->second.remote;
  if (static_cast<std::size_t>(rank) >= peers.size()) return {};
  return peers[static_cast<std::size_t>(rank)];
}

void MessageEnds::send(const Words& words, std::uint64_t ticks) {
  const std::int32_t dest = words.low_signed(0);
  if (dest == PL_PROC_NULL) return;
  const auto peer = world_rank(words.low(2), dest);
  if (!peer || !words.has(3)) {
    complete_ = false;
    return;
  }
  found_({true, *peer, words.high_signed(0), ticks});
}

void MessageEnds::receive(std::uint32_t comm, std::int32_t source, std::int32_t tag, std::uint64_t ticks) {
  if (const auto peer = world_rank(comm, source)) found_({false, *peer, tag, ticks});
}

void MessageEnds::post(const Words& words) { posted_[words.high(2)] = words.low(2); }

void MessageEnds::start(const Words& words, std::uint64_t ticks) {
  for (std::size_t i = 1; i <= words.low(0) && i < words.size(); ++i) {
    const auto fact = facts_.persistents.find(words.low(i));
    if (words.high(i) == 0) continue;  // partitioned: its messages are of a kind of their own
    if (fact == facts_.persistents.end()) {
      complete_ = false;
      continue;
    }
    const Words what(fact->second.payload);
    if (fact->second.function.layout == PL_LAYOUT_SEND) send(what, ticks);
    if (fact->second.function.layout == PL_LAYOUT_RECV) posted_[words.high(i)] = what.low(2);
  }
}

void MessageEnds::wait(const Words& words, std::uint64_t ticks) {
  const std::size_t n = words.low(0), ids = 2, completions = ids + (n + 1) / 2;
  if (!words.has(completions + 2 * n)) return;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t flags = words[completions + 2 * i];
    if ((flags & PL_COMPLETED) == 0) continue;
    const auto posted = posted_.find(words.half(ids, i));
    if (posted == posted_.end()) continue;
    const std::uint32_t comm = posted->second;
    posted_.erase(posted);
    if ((flags & PL_CANCELLED) == 0)
      receive(comm, words.low_signed(completions + 2 * i + 1), words.high_signed(completions + 2 * i + 1), ticks);
  }
}

}  // namespace plumbline::record
