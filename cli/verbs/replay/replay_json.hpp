#pragma once
// What a replay without settings tells, for programs. Form: cli/verbs/replay/replay.schema.json,
// docs/reference/replay.md.

#include <string>

#include "replay/expect/expect.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli {

// One object, with a line feed.
std::string replay_json(const replay::expect::Expectation& expectation, const replay::Program& program);

}  // namespace plumbline::cli
