#pragma once
// What `plumbline view` is asked to show.

#include <cstdint>
#include <filesystem>
#include <string>

#include "replay/compare/result/comparison.hpp"

namespace plumbline::cli::view {

struct Options {
  std::filesystem::path observed;       // archive, or directory of a validation; it is one of these
  std::filesystem::path reference;      // an archive: expected archive, or a second observed one; empty: none
  std::filesystem::path platform;       // what would be is replayed on it; without a reference also what is expected
  std::filesystem::path report;         // of an earlier comparison; empty: it is made
  replay::CompareOptions compare = {};  // names are those of the paths
  bool whole = false;                   // what cannot be read as a whole is an Error, in place of a banner
  std::uint32_t jobs = 0;  // threads that make the index, and replays at a time; 0: as many as there are workers
  std::string run;         // of a validation: "strided", "strided/mpich"; empty: the one that lost most
};

}  // namespace plumbline::cli::view
