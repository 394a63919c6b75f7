#pragma once
// The options of `plumbline record` that limit a recording or choose what is in it.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tracer/record/launch/settings.hpp"

namespace plumbline::cli {

struct SettingsOptions {
  std::vector<std::string> io_patterns;
  std::string max_size, keep, ranks, window, internals, node_facts;
};

void declare_settings(CLI::App& app, SettingsOptions& options);

// As the ranks get them. Throws Error (kWrongUse) where the tracer would not understand one.
record::Settings settings_of(const SettingsOptions& options);

}  // namespace plumbline::cli
