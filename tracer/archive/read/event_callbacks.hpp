#pragma once
// What the callbacks of all kinds of events share: from OTF2's arguments to the visitor.

#include <otf2/otf2.h>

#include <cstdint>
#include <string>

#include "tracer/archive/otf2_values.hpp"
#include "tracer/archive/read/event_reading.hpp"

namespace plumbline::archive {

using Attributes = OTF2_AttributeList*;

inline EventReading& reading(void* user) { return *static_cast<EventReading*>(user); }

inline Event of_kind(EventKind kind) {
  Event event;
  event.kind = kind;
  return event;
}

OTF2_CallbackCode damaged(EventReading& r, std::string fault);

// Time, attributes and delivery, the same for all kinds.
OTF2_CallbackCode deliver(EventReading& r, Event& event, OTF2_TimeStamp time, Attributes list);

// A record that Event cannot express, whatever its fields are.
OTF2_CallbackCode skip(EventReading& r, const char* name);

// Our index of `id`, or a fault.
bool refer(EventReading& r, const IdMap& ids, std::uint32_t id, const char* what, std::uint32_t& index);

// one_sided.cpp
void register_one_sided(OTF2_EvtReaderCallbacks* callbacks);

}  // namespace plumbline::archive
