#pragma once
// What `plumbline predict` was asked for.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace plumbline::cli::predict {

struct Options {
  std::filesystem::path model, platform;
  std::filesystem::path from, to_model;  // a recording in the place of the model, and where to write what it folds into
  std::string folded, folded_source;     // the text of that model, and how it is named
  std::string platform_text;             // in the place of the platform's file, whose name remains; empty: it is read
  std::string ranks;                     // "8", "2..64", "2,6,12"
  std::vector<std::string> settings;     // "xsize=128,256" of the model, "link.n0-s0.rate=1GB/s" of the platform
  std::string machine, time_unit;        // empty: none
  std::uint32_t per_node = 0;            // processes; 0: as many as are needed on every node
  std::uint32_t recorded_per_node = 0;   // with per_node 0: so many, or more where the nodes are too few
  std::uint32_t runs = 0;                // with seeds from `seed` on; 0: as many as chance asks for
  std::uint64_t seed = 1;
  bool extrapolate = false;  // of sizes beyond those measured
  bool by_averages = false;  // also by the mean and the least of the times
  bool details = false;
  bool tells_progress = true;                     // of what goes before the first replay
  std::uint32_t jobs = 1;                         // replays at a time; 0: as many as there are processors
  std::filesystem::path program, json, csv, svg;  // to write; empty: not
};

}  // namespace plumbline::cli::predict
