#pragma once
// What opening a run, or a pair of runs, works out.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/memory/kept_column.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// As Runs and those who serve them have it.
struct Opening {
  std::optional<replay::Expected> expected = {};
  replay::ReferenceRun reference = replay::ReferenceRun::kExpected;
  std::optional<replay::Comparison> comparison = {};
  std::vector<ComponentHistory> components = {};
  std::vector<KeptColumn<std::uint8_t>> marks = {};
  Matches matches = {};
  Lanes lanes = {};
  KeptColumn<std::uint8_t> report = {};  // encoded by whoever keeps it
  std::uint64_t index_key = 0;           // index_file.hpp
};

}  // namespace plumbline::viewer
