#pragma once
// Everything that a server knows of what it was started with. Endpoints are called one at a time.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "viewer/index/folds.hpp"
#include "viewer/index/lanes.hpp"
#include "viewer/index/matches.hpp"
#include "viewer/index/pyramid.hpp"
#include "viewer/index/runs.hpp"

namespace plumbline::viewer {

struct Opened {
  Runs runs;
  Lanes lanes;
  Pyramid pyramid;
  Matches matches;
  Folds folds;
  nlohmann::ordered_json report;                 // plumbline-report; null for a recording alone
  nlohmann::ordered_json validation = nullptr;   // plumbline-validation, where a directory of one was opened
  std::string key = {};                          // of the content, 16 hex digits: addresses of strips begin with it
  // What-if runs are in whatif.hpp and reach endpoints through the server.
};

}  // namespace plumbline::viewer
