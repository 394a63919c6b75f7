#pragma once
// The option --jobs of verbs that replay.

#include <CLI/CLI.hpp>
#include <cstdint>

namespace plumbline::cli {

// `jobs`: 0 where it is not given.
void declare_jobs(CLI::App& app, std::uint32_t& jobs);

}  // namespace plumbline::cli
