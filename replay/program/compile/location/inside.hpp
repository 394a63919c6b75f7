#pragma once
// The inner stream of a location: what was recorded inside of its calls, there or on a location of its own.

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// Finds what was recorded inside of the call that begins; location.outermost counts its region already.
void find_inside(LocationState& location);

// Records of the tracer on the location inside, as the call says, else as many as lie there.
std::uint32_t records_inside(const LocationState& location, const archive::Event* leave);

// Writes what was recorded inside of the call that ends. False: there was nothing.
bool write_inner(LocationState& location, Time end);

}  // namespace plumbline::replay::compiling
