#pragma once
// The recording that is shown.

#include <filesystem>
#include <string>
#include <vector>

#include "replay/program/program.hpp"
#include "viewer/server/watch.hpp"

namespace plumbline::cli::view {

struct Observed {
  replay::Program program;
  std::filesystem::path anchor;
  std::vector<std::string> remarks, banners = {};
  bool is_damaged = false;  // only what could be read is there
  bool is_model = false;    // predicted; nothing was observed
};

// `path`: what may be an archive, or a program file; of one of a model, what it does on `platform`. Error where it is
// an expected one, or nothing of it can be read; where `whole`, also where not all of it can be.
Observed open_observed(const std::filesystem::path& path, bool whole = false,
                       const std::filesystem::path& platform = {});

viewer::WatchedArchive watched(const std::filesystem::path& name, const std::filesystem::path& anchor);

}  // namespace plumbline::cli::view
