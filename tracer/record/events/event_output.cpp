#include "tracer/record/events/event_output.hpp"

namespace plumbline::record {

using archive::Event;

void EventOutput::attach_text(std::uint32_t attribute, std::string_view text) {
  if (!text.empty()) attach_string(attribute, world_.string(text));
}

void EventOutput::emit(Event& event, Time time) {
  if (!is_inside_) return emit_outside(event, time);
  out_.give_attached(event);
  inside_.add(event, time);
}

}  // namespace plumbline::record
