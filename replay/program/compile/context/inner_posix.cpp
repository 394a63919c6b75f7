#include "replay/program/compile/context/inner_posix.hpp"

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;
using archive::IoMode;

void DescriptorPositions::moved(std::uint32_t handle, std::uint64_t bytes) {
  if (std::uint64_t* position = positions_.find(handle); position != nullptr && *position != kUnknownOffset)
    *position += bytes;
}

std::uint64_t DescriptorPositions::offset_of(const Event& event, const AttributeIds& attributes) {
  for (const std::uint32_t id : {attributes.absolute_offset, attributes.offset})
    if (const archive::AttributeValue* value = find(event, id)) return value->u64;
  const std::uint64_t* position = positions_.find(event.io_handle);
  return position == nullptr ? kUnknownOffset : *position;
}

void InnerPosix::clear() {
  items_.clear();
  first_ = 0;
}

void InnerPosix::enter(Time now) {
  begin_ = now;
  first_ = items_.size();
}

void InnerPosix::leave(const CallTraits& region, Time now) {
  if (items_.size() == first_ && region.shape == CallShape::kPosix) {
    items_.push_back({});
    items_.back().item.times.begin = begin_;
  }
  for (std::size_t i = first_; i < items_.size(); ++i) items_[i].item.times.end = now;
}

void InnerPosix::event(const Event& event, const CallTraits* region, Time now) {
  switch (event.kind) {
    case EventKind::kIoCreateHandle:
      positions_.set(event.io_handle, 0);
      return add(event, InnerKind::kOpen, region, now);
    case EventKind::kIoDestroyHandle:
      return add(event, InnerKind::kClose, region, now);
    case EventKind::kIoSeek:
      positions_.set(event.io_handle, static_cast<std::uint64_t>(event.offset));
      return add(event, InnerKind::kOther, region, now);
    case EventKind::kIoOperationBegin:
      return add(event,
                 event.io_mode == IoMode::kRead    ? InnerKind::kRead
                 : event.io_mode == IoMode::kWrite ? InnerKind::kWrite
                                                   : InnerKind::kSync,
                 region, now);
    case EventKind::kIoOperationComplete:
      return complete(event, now);
    default:
      return;
  }
}

void InnerPosix::add(const Event& event, InnerKind kind, const CallTraits* region, Time now) {
  if (context_.definitions.io_handles[event.io_handle].paradigm == archive::IoParadigm::kMpiIo) return;
  UnderWay io;
  io.item.kind = kind;
  io.item.access.file = context_.file(event.io_handle);
  io.item.times = {region != nullptr ? begin_ : now, now};
  io.handle = event.io_handle;
  if (event.kind == EventKind::kIoOperationBegin) {
    io.id = event.request;
    io.item.access.bytes = event.bytes == archive::kUnknownSize ? 0 : event.bytes;
    io.item.access.offset = positions_.offset_of(event, context_.attributes);
    io.moves = region == nullptr || !region->keeps_position;
  }
  items_.push_back(io);
}

void InnerPosix::complete(const Event& event, Time now) {
  for (std::size_t i = items_.size(); i-- > 0;) {
    UnderWay& io = items_[i];
    if (io.id != event.request || io.id == archive::kNoRequest) continue;
    if (event.bytes != archive::kUnknownSize && io.item.kind != InnerKind::kSync) io.item.access.bytes = event.bytes;
    if (io.moves) positions_.moved(io.handle, io.item.access.bytes);
    io.item.times.end = now;
    io.id = archive::kNoRequest;
    return;
  }
}

}  // namespace plumbline::replay
