#pragma once
// OTF2's callbacks of one location turned into Event.

#include <otf2/otf2.h>

#include <memory>

namespace plumbline::archive {

using EventCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)>;

// To be registered with an EventReading (event_reading.hpp) as user data.
EventCallbacks make_event_callbacks();

}  // namespace plumbline::archive
