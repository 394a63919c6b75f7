#pragma once
// What a user sets for a recording, on its way to the ranks: through their environment, or as options of their keepers.
// A new setting is a member and a row of kSettings.

#include <string>
#include <utility>
#include <vector>

#include "tracer/record/launch/child.hpp"

namespace plumbline::record {

// Each as the tracer reads it from its variable (docs/reference/recording-facts.md); empty: not set.
struct Settings {
  std::string io_paths = {};
  std::string max_size = {};
  std::string keep = {};
  std::string ranks = {};
  std::string window = {};
  std::string internals = {};
  std::string node_facts = {};
};

// The variables that are set, by name.
std::vector<std::pair<std::string, std::string>> environment_of(const Settings& settings);

// The same as options of `plumbline record`.
Command options_of(const Settings& settings);

}  // namespace plumbline::record
