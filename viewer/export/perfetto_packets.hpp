#pragma once
// Packets of a Perfetto trace: tracks, slices, marks, counters. All are of one sequence, which shares the numbers of
// Names.

#include <cstdint>
#include <string>
#include <string_view>

#include "viewer/export/output.hpp"
#include "viewer/export/perfetto_names.hpp"
#include "viewer/export/timeline.hpp"

namespace plumbline::viewer::perfetto {

// Tracks of one trace.
std::uint64_t process_track(Side side);
std::uint64_t rank_track(Side side, std::uint32_t rank);
std::uint64_t excess_track(std::uint32_t rank);

// A TrackEvent in the making. Its memory is used again for the next one.
class Event {
 public:
  void begin(std::uint32_t type, std::uint64_t track);
  void name(std::uint64_t name, std::uint64_t category);
  void annotate(Annotation name, std::uint64_t value);
  void annotate(Annotation name, Duration value);
  void annotate_text(Annotation name, std::uint64_t text);
  void counter(std::int64_t value);
  void flow(std::uint64_t id);
  void end_of_flow(std::uint64_t id);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_, annotation_;
};

class Packets {
 public:
  explicit Packets(std::ostream& to) : out_(to, "the trace") {}

  // The first packet: an InternedData message that all others refer to.
  void names(const std::string& interned);
  void process(Side side, std::string_view name, std::uint32_t ranks);
  void rank(Side side, std::uint32_t rank, std::uint32_t ranks, std::string_view name);
  void excess(std::uint32_t rank, std::string_view name);
  void event(std::uint64_t time_ns, const Event& event, const std::string& interned = {});
  void finish() { out_.flush(); }

 private:
  void track(const std::string& descriptor);
  void put_packet();

  Output out_;
  std::string packet_, head_;
};

}  // namespace plumbline::viewer::perfetto
