#pragma once
// One location of an archive while its events are read.

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

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

}  // namespace plumbline::archive
