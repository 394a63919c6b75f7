#include "decode.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace plumbline::viewer {
namespace {

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (bytes.empty() || shift > 63) throw std::runtime_error("a number is cut off");
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number is too long");
}

std::string_view take(std::string_view& bytes, std::uint64_t count) {
  if (bytes.size() < count) throw std::runtime_error("a field is cut off");
  const std::string_view part = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return part;
}

// By table of InternedData and number.
using Texts = std::map<std::uint32_t, std::map<std::uint64_t, std::string>>;

void add_texts(Texts& texts, std::string_view interned) {
  for (const WireField& entry : wire_fields(interned)) {
    std::uint64_t iid = 0;
    std::string text;
    for (const WireField& field : wire_fields(entry.bytes)) {
      if (field.number == 1) iid = field.value;
      if (field.number == 2) text = field.bytes;
    }
    if (iid == 0) throw std::runtime_error("an interned text has no number");
    if (!texts[entry.number].emplace(iid, text).second) throw std::runtime_error("an interned text is there twice");
  }
}

void add_annotation(DecodedEvent& event, std::string_view bytes, Texts& texts) {
  std::string name;
  AnnotationValue value;
  for (const WireField& field : wire_fields(bytes)) {
    if (field.number == 1) name = texts[3].at(field.value);
    if (field.number == 3) value = field.value;
    if (field.number == 4) value = static_cast<std::int64_t>(field.value);
    if (field.number == 17) value = texts[29].at(field.value);
  }
  event.annotations[name] = value;
}

DecodedEvent event_of(std::string_view bytes, Texts& texts) {
  DecodedEvent event;
  for (const WireField& field : wire_fields(bytes)) {
    if (field.number == 9) event.type = static_cast<std::uint32_t>(field.value);
    if (field.number == 11) event.track = field.value;
    if (field.number == 10) event.name = texts[2].at(field.value);
    if (field.number == 3) event.category = texts[1].at(field.value);
    if (field.number == 4) add_annotation(event, field.bytes, texts);
    if (field.number == 30) event.counter = static_cast<std::int64_t>(field.value);
    if (field.number == 47) event.flows.push_back(field.value);
    if (field.number == 48) event.ending_flows.push_back(field.value);
  }
  return event;
}

DecodedTrack track_of(std::string_view bytes) {
  DecodedTrack track;
  for (const WireField& field : wire_fields(bytes)) {
    if (field.number == 1) track.uuid = field.value;
    if (field.number == 2) track.name = field.bytes;
    if (field.number == 5) track.parent = field.value;
    if (field.number == 8) track.is_counter = true;
    track.is_process |= field.number == 3;
    track.is_thread |= field.number == 4;
    if (field.number != 3 && field.number != 4) continue;
    for (const WireField& part : wire_fields(field.bytes)) {
      if (part.number == 1) track.pid = static_cast<std::int64_t>(part.value);
      if (part.number == 2) track.tid = static_cast<std::int64_t>(part.value);
      if (part.number == (field.number == 3 ? 6U : 5U)) track.name = part.bytes;
    }
  }
  return track;
}

void add_packet(DecodedTrace& trace, std::string_view bytes, Texts& texts) {
  std::uint64_t time = 0;
  for (const WireField& field : wire_fields(bytes)) {
    if (field.number == 8) time = field.value;
    if (field.number == 12) add_texts(texts, field.bytes);
    if (field.number == 60) {
      const DecodedTrack track = track_of(field.bytes);
      if (!trace.tracks.emplace(track.uuid, track).second) throw std::runtime_error("a track is there twice");
    }
    if (field.number != 11) continue;
    trace.events.push_back(event_of(field.bytes, texts));
    trace.events.back().time_ns = time;
    if (!trace.tracks.contains(trace.events.back().track)) throw std::runtime_error("an event has no track");
  }
}

}  // namespace

std::vector<WireField> wire_fields(std::string_view bytes) {
  std::vector<WireField> fields;
  while (!bytes.empty()) {
    const std::uint64_t key = take_varint(bytes);
    WireField field{static_cast<std::uint32_t>(key >> 3), static_cast<std::uint32_t>(key & 7), 0, {}};
    if (field.type == 0) {
      field.value = take_varint(bytes);
    } else if (field.type == 1) {
      const std::string_view eight = take(bytes, 8);
      for (std::size_t i = 0; i < 8; ++i)
        field.value |= static_cast<std::uint64_t>(static_cast<unsigned char>(eight[i])) << (8 * i);
    } else if (field.type == 2) {
      field.bytes = take(bytes, take_varint(bytes));
    } else {
      throw std::runtime_error("a field has a type that nobody writes");
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

std::int64_t DecodedEvent::number(const std::string& annotation) const {
  const AnnotationValue& value = annotations.at(annotation);
  const auto* const is_signed = std::get_if<std::int64_t>(&value);
  return is_signed != nullptr ? *is_signed : static_cast<std::int64_t>(std::get<std::uint64_t>(value));
}

std::string DecodedEvent::text(const std::string& annotation) const {
  return std::get<std::string>(annotations.at(annotation));
}

std::vector<DecodedEvent> DecodedTrace::on(std::uint64_t track) const {
  std::vector<DecodedEvent> result;
  std::ranges::copy_if(events, std::back_inserter(result),
                       [&](const DecodedEvent& event) { return event.track == track; });
  return result;
}

std::uint64_t DecodedTrace::process(std::string_view begin_of_name) const {
  for (const auto& [uuid, track] : tracks)
    if (track.is_process && track.name.starts_with(begin_of_name)) return uuid;
  throw std::runtime_error("no such process");
}

std::uint64_t DecodedTrace::thread(std::uint64_t process, std::string_view name) const {
  for (const auto& [uuid, track] : tracks)
    if (track.is_thread && track.parent == process && track.name == name) return uuid;
  throw std::runtime_error("no such thread");
}

DecodedTrace decode_perfetto(std::string_view bytes) {
  DecodedTrace trace;
  Texts texts;
  for (const WireField& packet : wire_fields(bytes)) {
    if (packet.number != 1 || packet.type != 2) throw std::runtime_error("a trace has nothing but packets");
    add_packet(trace, packet.bytes, texts);
  }
  return trace;
}

std::vector<DecodedSlice> slices_of(const DecodedTrace& trace, std::uint64_t track) {
  std::vector<DecodedEvent> events = trace.on(track);
  std::ranges::stable_sort(events, {}, &DecodedEvent::time_ns);
  std::vector<DecodedSlice> slices;
  std::vector<std::size_t> open;
  for (const DecodedEvent& event : events) {
    if (event.type == 1 || event.type == 3) slices.push_back({event, event.time_ns, open.size()});
    if (event.type == 1) open.push_back(slices.size() - 1);
    if (event.type != 2) continue;
    if (open.empty()) throw std::runtime_error("an end has no begin");
    slices[open.back()].end_ns = event.time_ns;
    open.pop_back();
  }
  if (!open.empty()) throw std::runtime_error("a slice has no end");
  return slices;
}

}  // namespace plumbline::viewer
