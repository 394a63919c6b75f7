#pragma once
// The calls of a location: from their records, else from their names, to operations.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// As LocationCompiler::event().
void take_event(LocationState& location, const archive::Event& event);

// As LocationCompiler::finish().
void finish_location(LocationState& location);

}  // namespace plumbline::replay::compiling
