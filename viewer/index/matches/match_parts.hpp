#pragma once
// The steps of match_operations(). Each needs what those above it have found.

#include "base/memory/scratch.hpp"
#include "replay/program/program.hpp"
#include "viewer/index/matches/matches.hpp"

namespace plumbline::viewer {

void match_messages(const replay::Program& program, Matches& matches);
void match_collectives(const replay::Program& program, Matches& matches, const Scratch& scratch);
void match_window_groups(const replay::Program& program, Matches& matches);
void match_requests(const replay::Program& program, Matches& matches);

}  // namespace plumbline::viewer
