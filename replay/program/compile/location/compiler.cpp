#include "replay/program/compile/location/compiler.hpp"

#include "replay/program/compile/location/calls.hpp"

namespace plumbline::replay {

void LocationCompiler::event(const archive::Event& event) { compiling::take_event(location_, event); }

void LocationCompiler::finish() { compiling::finish_location(location_); }

}  // namespace plumbline::replay
