#pragma once
// What `plumbline view` is asked to show.

#include <filesystem>
#include <string>

namespace plumbline::cli::view {

struct Options {
  std::filesystem::path observed;   // archive, or directory of a validation; it is one of these
  std::filesystem::path reference;  // an archive: expected archive, or a second observed one; empty: none
  std::filesystem::path platform;   // what would be is replayed on it; without a reference also what is expected
  std::filesystem::path report;     // of an earlier comparison; empty: it is made
  std::string run;                  // of a validation: "strided", "strided/mpich"; empty: the one that lost most
};

}  // namespace plumbline::cli::view
