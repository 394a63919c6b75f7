#pragma once
// What `calibrate` found of a campaign, for people and for programs.

#include <filesystem>
#include <string>

#include "hwmodels/calibrate/calibration.hpp"

namespace plumbline::cli {

// A line for each file system.
std::string storage_text(const hw::Platform& platform);

std::string calibration_text(const hw::calibration::Calibration& calibration);

// One object, with a line feed (docs/reference/calibration.md).
std::string calibration_json(const hw::calibration::Calibration& calibration, const std::filesystem::path& platform);

}  // namespace plumbline::cli
