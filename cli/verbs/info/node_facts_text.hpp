#pragma once
// What an archive says of its nodes by /proc and /sys, for people.

#include <string>

#include "tracer/archive/model.hpp"

namespace plumbline::cli {

// A line for each thing that has been counted and should not be: what was sent again, lost, throttled. Empty: nothing.
std::string describe_growth(const archive::Definitions& definitions);

// All: what is observed, what has grown, facts, what could not be read. Facts that all nodes have alike are said once.
std::string node_facts_text(const archive::Definitions& definitions);

}  // namespace plumbline::cli
