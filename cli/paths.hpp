#pragma once
// Inputs are never replaced by outputs, not even with --force.

#include <filesystem>
#include <initializer_list>

namespace plumbline::cli {

// Throws Error when `output` is one of `inputs`, or the directory that holds one or lies in one. Empty paths are
// nothing.
void require_distinct(const std::filesystem::path& output, std::initializer_list<std::filesystem::path> inputs);

}  // namespace plumbline::cli
