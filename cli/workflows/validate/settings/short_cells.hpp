#pragma once
// The suite with a fraction of its repetitions: what is run over and over, with and without a setting.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/suite/cell_kinds.hpp"
#include "bench/suite/description.hpp"

namespace plumbline::cli::validate {

// "halo:side=512,steps=20" with an eighth of its steps: parameters that say how often something is done become that
// much smaller, but not smaller than they may be. Sizes stay.
std::string short_cell(const std::string& cell, const bench::CellKinds& kinds, std::int64_t divisor = 8);

// All cells of our own of the suite.
std::vector<std::string> short_cells(const bench::Suite& suite, const bench::CellKinds& kinds);

}  // namespace plumbline::cli::validate
