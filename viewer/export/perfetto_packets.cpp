#include "viewer/export/perfetto_packets.hpp"

#include <algorithm>

#include "viewer/export/perfetto_fields.hpp"
#include "viewer/export/protobuf.hpp"

namespace plumbline::viewer::perfetto {
namespace {

using proto::put_fixed64;
using proto::put_number;
using proto::put_signed;
using proto::put_text;

constexpr std::uint64_t kSequence = 1;

// Perfetto takes threads of equal number for one, and one with the number of its process for the main thread.
std::uint64_t process_id(Side side, std::uint32_t ranks) {
  return (static_cast<std::uint64_t>(side) + 1) * std::max<std::uint64_t>(1'000'000, std::uint64_t{ranks} + 1);
}

std::uint64_t thread_id(Side side, std::uint32_t rank, std::uint32_t ranks) {
  return process_id(side, ranks) + rank + 1;
}

}  // namespace

std::uint64_t process_track(Side side) { return static_cast<std::uint64_t>(side) + 1; }
std::uint64_t rank_track(Side side, std::uint32_t rank) {
  return 4 + 4 * std::uint64_t{rank} + static_cast<std::uint64_t>(side);
}
std::uint64_t excess_track(std::uint32_t rank) { return 4 + 4 * std::uint64_t{rank} + 2; }

void Event::begin(std::uint32_t type, std::uint64_t track) {
  bytes_.clear();
  put_number(bytes_, event::kType, type);
  put_number(bytes_, event::kTrackUuid, track);
}

void Event::name(std::uint64_t name, std::uint64_t category) {
  put_number(bytes_, event::kNameIid, name);
  put_number(bytes_, event::kCategoryIids, category);
}

void Event::annotate(Annotation name, std::uint64_t value) {
  annotation_.clear();
  put_number(annotation_, annotation::kNameIid, static_cast<std::uint64_t>(name));
  put_number(annotation_, annotation::kUintValue, value);
  put_text(bytes_, event::kDebugAnnotations, annotation_);
}

void Event::annotate(Annotation name, Duration value) {
  annotation_.clear();
  put_number(annotation_, annotation::kNameIid, static_cast<std::uint64_t>(name));
  put_signed(annotation_, annotation::kIntValue, value.ps);
  put_text(bytes_, event::kDebugAnnotations, annotation_);
}

void Event::annotate_text(Annotation name, std::uint64_t text) {
  annotation_.clear();
  put_number(annotation_, annotation::kNameIid, static_cast<std::uint64_t>(name));
  put_number(annotation_, annotation::kStringValueIid, text);
  put_text(bytes_, event::kDebugAnnotations, annotation_);
}

void Event::counter(std::int64_t value) { put_signed(bytes_, event::kCounterValue, value); }
void Event::flow(std::uint64_t id) { put_fixed64(bytes_, event::kFlowIds, id); }
void Event::end_of_flow(std::uint64_t id) { put_fixed64(bytes_, event::kTerminatingFlowIds, id); }

void Packets::names(const std::string& interned) {
  packet_.clear();
  put_number(packet_, packet::kTrustedPacketSequenceId, kSequence);
  put_number(packet_, packet::kSequenceFlags, packet::kIncrementalStateCleared | packet::kNeedsIncrementalState);
  put_number(packet_, packet::kFirstPacketOnSequence, 1);
  put_text(packet_, packet::kInternedData, interned);
  put_packet();
}

void Packets::process(Side side, std::string_view name, std::uint32_t ranks) {
  std::string process, descriptor;
  put_number(process, track::kProcessPid, process_id(side, ranks));
  put_text(process, track::kProcessName, name);
  put_number(descriptor, track::kUuid, process_track(side));
  put_text(descriptor, track::kProcess, process);
  track(descriptor);
}

void Packets::rank(Side side, std::uint32_t rank, std::uint32_t ranks, std::string_view name) {
  std::string thread, descriptor;
  put_number(thread, track::kThreadPid, process_id(side, ranks));
  put_number(thread, track::kThreadTid, thread_id(side, rank, ranks));
  put_text(thread, track::kThreadName, name);
  put_number(descriptor, track::kUuid, rank_track(side, rank));
  put_number(descriptor, track::kParentUuid, process_track(side));
  put_text(descriptor, track::kThread, thread);
  track(descriptor);
}

void Packets::excess(std::uint32_t rank, std::string_view name) {
  std::string counter, descriptor;
  put_number(counter, track::kCounterUnit, track::kUnitTimeNs);
  put_number(descriptor, track::kUuid, excess_track(rank));
  put_text(descriptor, track::kName, name);
  put_number(descriptor, track::kParentUuid, rank_track(Side::kObserved, rank));
  put_text(descriptor, track::kCounter, counter);
  track(descriptor);
}

void Packets::track(const std::string& descriptor) {
  packet_.clear();
  put_number(packet_, packet::kTrustedPacketSequenceId, kSequence);
  put_text(packet_, packet::kTrackDescriptor, descriptor);
  put_packet();
}

void Packets::event(std::uint64_t time_ns, const Event& event, const std::string& interned) {
  packet_.clear();
  put_number(packet_, packet::kTimestamp, time_ns);
  put_number(packet_, packet::kTrustedPacketSequenceId, kSequence);
  put_number(packet_, packet::kSequenceFlags, packet::kNeedsIncrementalState);
  if (!interned.empty()) put_text(packet_, packet::kInternedData, interned);
  put_text(packet_, packet::kTrackEvent, event.bytes());
  put_packet();
}

void Packets::put_packet() {
  head_.clear();
  proto::wire::put_key(head_, trace::kPacket, proto::wire::kLength);
  proto::put_varint(head_, packet_.size());
  out_.add(head_);
  out_.add(packet_);
}

}  // namespace plumbline::viewer::perfetto
