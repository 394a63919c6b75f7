#pragma once
// The recording that is shown.

#include <filesystem>
#include <string>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::cli::view {

struct Observed {
  replay::Program program;
  std::filesystem::path anchor;
  std::vector<std::string> remarks, banners = {};
  bool is_damaged = false;  // only what could be read is there
  bool is_model = false;    // predicted; nothing was observed
};

}  // namespace plumbline::cli::view
