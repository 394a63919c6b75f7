#pragma once
// What nodes and libraries say of themselves, without timing: settings, and counters that have grown meanwhile.

#include <map>
#include <string>
#include <vector>

#include "base/node/interruptions.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Observations on nodes go into the validation, those on the settings of an MPI to its result. Sources that could not
// be read are noted with their checks.
void read_witnesses(Session& session);

// What was timed on each node, before the suite and after it; nodes on which nothing was timed are left out.
std::map<std::string, std::vector<node::Interruptions>> timed_interruptions(const Session& session);

}  // namespace plumbline::cli::validate
