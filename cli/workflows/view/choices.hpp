#pragma once
// What can be asked of a recording on a platform: the settings that a page offers.

#include <nlohmann/json.hpp>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/program/program.hpp"
#include "viewer/server/whatif/whatif.hpp"

namespace plumbline::cli::view {

// First what the report's findings advise, in their order; then hints, where the program uses MPI-IO; algorithms of the
// collectives that it calls; rates of links and of what stores data. `report`: null where there is none.
std::vector<viewer::WhatIfChoice> what_if_choices(const replay::Program& program, const hw::Platform& platform,
                                                  const nlohmann::ordered_json& report);

}  // namespace plumbline::cli::view
