#pragma once
// Finds out which operation of which rank each operation had to do with.

#include "base/memory/scratch.hpp"
#include "replay/program/program.hpp"
#include "viewer/index/matches/matches.hpp"

namespace plumbline::viewer {

Matches match_operations(const replay::Program& program, const Scratch& scratch = {});

}  // namespace plumbline::viewer
