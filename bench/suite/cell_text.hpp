#pragma once
// "halo:side=512,steps=20": a cell as the program of the suite takes it.

#include <string>
#include <string_view>

#include "bench/campaign/section.hpp"
#include "bench/suite/cell_kinds.hpp"

namespace plumbline::bench {

// Tells `section` of every fault, all at `where`.
void check_cell(Section& section, const std::string& where, std::string_view text, const CellKinds& kinds);

}  // namespace plumbline::bench
