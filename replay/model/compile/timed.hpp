#pragma once
// A model with the times of a replay in the place of those that nobody observed, so that it can be shown as a run.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "base/memory/scratch.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

// The program is of a model; times are [rank][operation]. `source_of`: the rank whose message a receive from any took.
Program with_times(const Program& program, std::span<const Column<OperationTimes>> times,
                   const std::function<std::uint32_t(std::uint32_t rank, std::uint32_t operation)>& source_of,
                   const std::filesystem::path& file);

}  // namespace plumbline::replay::model
