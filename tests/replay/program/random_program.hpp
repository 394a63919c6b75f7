#pragma once
// Random programs with every kind of operation, for properties that hold for all of them.

#include <cstdint>
#include <filesystem>

#include "replay/program/program.hpp"

namespace plumbline::replay {

Program random_program(std::uint64_t seed, const std::filesystem::path& file);

}  // namespace plumbline::replay
