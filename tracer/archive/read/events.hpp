#pragma once
// OTF2's callbacks of one location turned into Event.

#include <otf2/otf2.h>

#include <exception>
#include <functional>
#include <memory>

#include "tracer/archive/read/definitions.hpp"

namespace plumbline::archive {

// What the callbacks work on while one location is read.
struct EventReading {
  const ReadDefinitions& file;
  const std::function<void(const Event&)>& visit;
  std::map<std::string, std::uint64_t>& skipped;

  std::uint64_t number = 0;   // of events seen, skipped ones included
  Time last;                  // of the latest event
  std::string fault;          // what is wrong with event `number`, when reading was interrupted for that
  std::exception_ptr thrown;  // by `visit`
  std::vector<AttributeValue> attributes;
  std::vector<std::uint64_t> values = {};  // of a metric
};

using EventCallbacks = std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)>;

// To be registered with an EventReading as user data.
EventCallbacks make_event_callbacks();

}  // namespace plumbline::archive
