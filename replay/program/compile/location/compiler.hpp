#pragma once
// The compiler's core: the events of one rank's location, in order, become its operations in a ProgramBuilder.

#include <cstdint>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay {

class LocationCompiler {
 public:
  // The caller has begun the rank in context.builder, and ends it with request_slots() after finish(). `inside`: what
  // was recorded inside of these calls, or null; lives as long as this.
  LocationCompiler(CompileContext& context, std::uint32_t rank, TracerCost cost, const InsideOfCalls* inside = nullptr)
      : location_(context, rank, cost, inside) {}

  // Throws Error located by archive, rank and event. An event earlier than its predecessor is moved to it and counted.
  void event(const archive::Event& event);
  void finish();
  std::uint32_t request_slots() const { return location_.slots.count(); }
  std::uint32_t inner_slots() const { return location_.inner_slots.count(); }

 private:
  compiling::LocationState location_;
};

}  // namespace plumbline::replay
