#include "replay/program/compile/context/inside_compiler.hpp"

#include <algorithm>
#include <utility>

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;

void InsideCompiler::event(const Event& event) {
  now_ = std::max(now_, event.time);
  switch (event.kind) {
    case EventKind::kEnter:
      return enter(event);
    case EventKind::kLeave:
      return leave();
    case EventKind::kMpiIsend:
      return post(event, InnerKind::kSend);
    case EventKind::kMpiIrecvRequest:
      return post(event, InnerKind::kReceive);
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiIrecv:
      return complete(event);
    case EventKind::kMpiRequestCancelled:
      return cancelled(event);
    case EventKind::kIoCreateHandle:
    case EventKind::kIoDestroyHandle:
    case EventKind::kIoSeek:
    case EventKind::kIoOperationBegin:
    case EventKind::kIoOperationComplete: {
      if (regions_.empty() || event.io_handle >= context_.definitions.io_handles.size()) return;
      return posix_.event(event, regions_.size() > 1 ? &context_.calls[regions_.back()] : nullptr, now_);
    }
    default:
      return;
  }
}

void InsideCompiler::enter(const Event& event) {
  if (event.region >= context_.calls.size()) return;
  regions_.push_back(event.region);
  if (regions_.size() > 1) {
    if (regions_.size() == 2) posix_.enter(now_);
    if (!result_.calls.empty()) ++result_.calls.back().records;
    return;
  }
  const archive::AttributeValue* call = find(event, context_.attributes.call);
  const std::uint32_t index =
      call == nullptr ? kNone : static_cast<std::uint32_t>(std::min<std::uint64_t>(call->u64, kNone));
  const std::uint32_t least = result_.calls.empty() ? 0 : result_.calls.back().call;
  if (index == kNone || index < least || (!result_.calls.empty() && index == least)) {
    ++context_.tally.inside_out_of_order;
    if (result_.calls.empty()) regions_.pop_back();  // what is in it belongs nowhere
    return;
  }
  result_.calls.push_back({index, static_cast<std::uint32_t>(result_.items.size()), 0, 0});
}

void InsideCompiler::leave() {
  if (regions_.empty()) return;
  const std::uint32_t region = regions_.back();
  regions_.pop_back();
  if (regions_.size() == 1) posix_.leave(context_.calls[region], now_);
  if (regions_.size() <= 1) take_posix();
}

void InsideCompiler::take_posix() {
  for (std::size_t i = 0; i < posix_.count(); ++i) {
    const InnerPosix::Item posix = posix_.item(i);
    result_.accesses.push_back(posix.access);
    const std::uint32_t records = result_.calls.empty() ? 0 : result_.calls.back().records;
    add(posix.kind, static_cast<std::uint32_t>(result_.accesses.size() - 1), posix.times,
        records == 0 ? 0 : records - 1);
  }
  posix_.clear();
}

void InsideCompiler::add(InnerKind kind, std::uint32_t index, const OperationTimes& times,
                         std::uint32_t records_before) {
  if (result_.calls.empty()) return;
  InnerItem item;
  item.operation = result_.calls.back().call;
  item.kind = kind;
  item.index = index;
  item.times = times;
  result_.items.push_back({item, records_before});
  ++result_.calls.back().items;
}

void InsideCompiler::match(const Event& event, InnerMessage& message) const {
  message.context = event.comm;
  message.peer = event.peer == archive::kUndefined ? kNone : event.peer;
  message.tag = static_cast<std::int32_t>(event.tag);
  message.bytes = event.bytes;
  if (event.comm >= context_.contexts.size() || !context_.contexts[event.comm]) message.peer = kNone;
}

void InsideCompiler::post(const Event& event, InnerKind kind) {
  if (regions_.empty() || result_.calls.empty()) {  // by a thread of the library's own
    ++context_.tally.inside_out_of_order;
    return;
  }
  InsideOfCalls::Call& call = result_.calls.back();
  InnerMessage message;
  message.operation = call.call;
  if (const archive::AttributeValue* owner = find(event, context_.attributes.belongs_to);
      owner != nullptr && owner->u64 < call.call)
    message.operation = static_cast<std::uint32_t>(owner->u64);
  if (kind == InnerKind::kSend) {
    match(event, message);
    const archive::AttributeValue* mode = find(event, context_.attributes.send_mode);
    if (mode != nullptr && context_.definitions.strings[mode->string] == "synchronous")
      message.flags |= kInnerSynchronous;
    if (find(event, context_.attributes.unknown_bytes) != nullptr) message.flags |= kInnerUnknownBytes;
  }
  const auto index = static_cast<std::uint32_t>(result_.messages.size());
  result_.messages.push_back(message);
  under_way_.put(event.request, index);
  add(kind, index, {now_, now_}, call.records);
  ++call.records;
}

void InsideCompiler::complete(const Event& event) {
  const std::uint32_t* found = under_way_.find(event.request);
  if (found == nullptr || result_.calls.empty()) {
    ++context_.tally.inside_out_of_order;
    return;
  }
  const std::uint32_t index = *found;
  under_way_.erase(event.request);
  InnerMessage& message = result_.messages[index];
  if (event.kind == EventKind::kMpiIrecv) match(event, message);
  if (regions_.empty())
    result_.between.push_back({now_, index});
  else
    add(InnerKind::kDone, index, {now_, now_}, result_.calls.back().records);
}

void InsideCompiler::cancelled(const Event& event) {
  const std::uint32_t* found = under_way_.find(event.request);
  if (found == nullptr) return;
  result_.messages[*found].flags |= kInnerFailed;
  under_way_.erase(event.request);
}

InsideOfCalls InsideCompiler::finish() {
  take_posix();
  return std::move(result_);
}

}  // namespace plumbline::replay
