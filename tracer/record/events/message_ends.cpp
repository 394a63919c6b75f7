#include "tracer/record/events/message_ends.hpp"

#include "tracer/record/events/completions.hpp"
#include "tracer/record/events/failed_calls.hpp"

namespace plumbline::record {

void MessageEnds::take(const spool::Record& record) {
  if (record.function >= PL_DEFINITIONS) return;
  const std::uint32_t layout = facts_.function(record.function).layout;
  if (record.error != PL_ERROR_NONE && !has_effect_in_spite_of(record.error, layout)) return;
  switch (layout) {
    case PL_LAYOUT_SEND:
    case PL_LAYOUT_SENDRECV:
    case PL_LAYOUT_ISENDRECV:
      send(record.payload, record.begin);  // the others begin with its words
      return take_receive(record);
    case PL_LAYOUT_RECV:
      return take_receive(record);
    case PL_LAYOUT_START:
      return spool::for_each_started(record.payload,
                                     [&](const pl_started_payload& what) { start(what, record.begin); });
    case PL_LAYOUT_WAIT:
      if (record.done) wait(record.payload, record.end);
      return;
    default:
      return;
  }
}

void MessageEnds::take_receive(const spool::Record& record) {
  const FunctionFact& function = facts_.function(record.function);
  if (function.layout == PL_LAYOUT_RECV) {
    const auto recv = spool::decode<pl_recv_payload>(record.payload);
    if (recv.request != 0)
      posted_[recv.request] = recv.comm;
    else if (record.done)
      receive(recv.comm, recv.matched_source, recv.matched_tag, record.end);
  } else if (function.layout == PL_LAYOUT_SENDRECV) {
    const auto both = spool::decode<pl_sendrecv_payload>(record.payload);
    if (record.done) receive(both.comm, both.matched_source, both.matched_tag, record.end);
  } else if (function.layout == PL_LAYOUT_ISENDRECV) {
    const auto both = spool::decode<pl_isendrecv_payload>(record.payload);
    posted_[both.request] = both.comm;
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

void MessageEnds::send(spool::Words payload, std::uint64_t ticks) {
  const auto send = spool::decode<pl_send_payload>(payload);
  if (send.dest == PL_PROC_NULL) return;
  const auto peer = world_rank(send.comm, send.dest);
  if (peer && payload.size() >= PL_WORDS_OF(pl_send_payload))
    found_({true, *peer, send.tag, ticks});
  else
    complete_ = false;
}

void MessageEnds::receive(std::uint32_t comm, std::int32_t source, std::int32_t tag, std::uint64_t ticks) {
  if (const auto peer = world_rank(comm, source)) found_({false, *peer, tag, ticks});
}

void MessageEnds::start(const pl_started_payload& what, std::uint64_t ticks) {
  if (what.request == 0) return;  // partitioned: its messages are of a kind of their own
  const auto fact = facts_.persistents.find(what.persistent);
  if (fact == facts_.persistents.end()) {
    complete_ = false;
    return;
  }
  const spool::Words payload = fact->second.payload;
  const std::uint32_t layout = fact->second.function.layout;
  if (layout == PL_LAYOUT_SEND) send(payload, ticks);
  if (layout == PL_LAYOUT_RECV) posted_[what.request] = spool::decode<pl_recv_payload>(payload).comm;
}

void MessageEnds::wait(spool::Words payload, std::uint64_t ticks) {
  const Completions completions(payload);
  if (!completions.are_whole()) return;
  for (std::size_t i = 0; i < completions.size(); ++i) {
    if (!completions.is_completed(i)) continue;
    const auto posted = posted_.find(completions.request(i));
    if (posted == posted_.end()) continue;
    const std::uint32_t comm = posted->second;
    posted_.erase(posted);
    const pl_completion completion = completions[i];
    if ((completion.bytes_flags & PL_CANCELLED) == 0) receive(comm, completion.source, completion.tag, ticks);
  }
}

}  // namespace plumbline::record
