#pragma once
// A Perfetto trace read back: what its packets say, by the numbers of the fields as Perfetto's own files list them.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plumbline::viewer {

// One message on the wire: fields in their order.
struct WireField {
  std::uint32_t number = 0, type = 0;  // type: 0 varint, 1 fixed64, 2 length
  std::uint64_t value = 0;
  std::string bytes;
};
// Throws std::runtime_error when the bytes are no message.
std::vector<WireField> wire_fields(std::string_view bytes);

struct DecodedTrack {
  std::uint64_t uuid = 0, parent = 0;
  std::int64_t pid = 0, tid = 0;
  std::string name;
  bool is_process = false, is_thread = false, is_counter = false;
};

using AnnotationValue = std::variant<std::int64_t, std::uint64_t, std::string>;

struct DecodedEvent {
  std::uint64_t time_ns = 0, track = 0;
  std::uint32_t type = 0;  // 1 begin, 2 end, 3 instant, 4 counter
  std::string name, category;
  std::map<std::string, AnnotationValue> annotations;
  std::int64_t counter = 0;
  std::vector<std::uint64_t> flows, ending_flows;

  std::int64_t number(const std::string& annotation) const;
  std::string text(const std::string& annotation) const;
};

struct DecodedTrace {
  std::map<std::uint64_t, DecodedTrack> tracks;
  std::vector<DecodedEvent> events;  // in order of the file

  std::vector<DecodedEvent> on(std::uint64_t track) const;
  std::uint64_t process(std::string_view begin_of_name) const;
  // Of a process, by name.
  std::uint64_t thread(std::uint64_t process, std::string_view name) const;
};

DecodedTrace decode_perfetto(std::string_view bytes);

// A begin and its end, by the rules that trace_processor has for a thread: sorted by time, equal times in order of the
// file, an end closes what was opened last. Throws std::runtime_error when they do not pair.
struct DecodedSlice {
  DecodedEvent begin;
  std::uint64_t end_ns = 0;
  std::size_t depth = 0;
};
std::vector<DecodedSlice> slices_of(const DecodedTrace& trace, std::uint64_t track);

}  // namespace plumbline::viewer
