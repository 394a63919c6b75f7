#pragma once
// Everything that a server knows of what it was started with. Endpoints are called one at a time.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/index/lanes/fold_strips.hpp"
#include "viewer/index/lanes/folds.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"
#include "viewer/server/watch.hpp"
#include "viewer/server/whatif/whatif.hpp"

namespace plumbline::viewer {

struct Opened {
  Runs runs;
  Lanes lanes = {};
  Pyramid pyramid = {};
  Matches matches = {};
  Folds folds = {};
  nlohmann::ordered_json report = nullptr;      // plumbline-report; null for a recording alone
  nlohmann::ordered_json validation = nullptr;  // plumbline-validation, where a directory of one was opened
  std::string key = {};      // of the content, 16 hexadecimal digits: addresses of strips begin with it
  std::string version = {};  // of the program that serves
  std::vector<WatchedArchive> archives = {};  // that were opened
  std::unique_ptr<WhatIfs> what_ifs = {};     // null: what would be cannot be asked here
  std::vector<FoldStrips> fold_strips = {};   // of lanes of very many ranks
};

}  // namespace plumbline::viewer
