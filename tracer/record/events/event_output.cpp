#include "tracer/record/events/event_output.hpp"

#include <algorithm>

namespace plumbline::record {

using archive::Event;

void EventOutput::attach(std::uint32_t attribute, std::uint64_t value) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.u64 = value;
}

void EventOutput::attach_signed(std::uint32_t attribute, std::int64_t value) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.i64 = value;
}

void EventOutput::attach_string(std::uint32_t attribute, archive::StringId text) {
  archive::AttributeValue& added = attached_.emplace_back();
  added.attribute = attribute;
  added.string = text;
}

void EventOutput::attach_text(std::uint32_t attribute, std::string_view text) {
  if (!text.empty()) attach_string(attribute, world_.definitions.strings.intern(text));
}

void EventOutput::emit(Event& event, Time time) {
  if (!is_inside_) return emit_outside(event, time);
  event.attributes = attached_;
  inside_.add(event, time);
  attached_.clear();
}

void EventOutput::emit_outside(Event& event, Time time) {
  last_ = std::max(last_, time);
  event.time = last_;
  event.attributes = attached_;
  write_(event);
  attached_.clear();
}

}  // namespace plumbline::record
