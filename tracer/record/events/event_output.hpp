#pragma once
// The events of one thread on their way to the archive: to the location of the thread, or, of calls inside of another
// call, to the location inside of it.

#include <cstdint>
#include <functional>
#include <string_view>

#include "tracer/record/definitions/process.hpp"
#include "tracer/record/events/inside_events.hpp"
#include "tracer/record/events/location_output.hpp"

namespace plumbline::record {

class EventOutput {
 public:
  // `write` takes the events of the thread's location, with times that do not decrease.
  EventOutput(DefinitionRegistry& world, InsideEvents& inside, std::function<void(const archive::Event&)> write)
      : world_(world), inside_(inside), out_(std::move(write)) {}

  // Attributes of the event that is emitted next.
  void attach(std::uint32_t attribute, std::uint64_t value) { out_.attach(attribute, value); }
  void attach_signed(std::uint32_t attribute, std::int64_t value) { out_.attach_signed(attribute, value); }
  void attach_string(std::uint32_t attribute, archive::StringId text) { out_.attach_string(attribute, text); }
  void attach_text(std::uint32_t attribute, std::string_view text);  // nothing where it is empty
  void drop_attached() { out_.drop_attached(); }

  // Whether the innermost call in progress is inside of another.
  void set_inside(bool inside) { is_inside_ = inside; }

  // Writes the event with what has been attached, to where the innermost call is. It gets its time and attributes, and
  // is not copied: a copy of what has just been filled in waits until all of it is in the cache.
  void emit(archive::Event& event, Time time);
  void emit_outside(archive::Event& event, Time time) { out_.emit(event, time); }

  Time last() const { return out_.last(); }  // of the last event of the thread's location

 private:
  DefinitionRegistry& world_;
  InsideEvents& inside_;
  LocationOutput out_;
  bool is_inside_ = false;
};

}  // namespace plumbline::record
