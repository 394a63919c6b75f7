#pragma once
// Properties of a program that the definitions of its archive tell.

#include "replay/program/program.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::replay {

void write_recording_properties(ProgramBuilder& builder, const archive::Definitions& definitions);

}  // namespace plumbline::replay
