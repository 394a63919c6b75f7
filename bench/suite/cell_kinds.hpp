#pragma once
// The cells that the program of the suite has.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::bench {

// A number that a cell may be asked for.
struct CellParameter {
  std::string name, summary;
  std::int64_t by_default = 0, least = 0, most = 0;
};

struct CellKind {
  std::string name, summary;
  std::uint32_t least_ranks = 1;  // with fewer it is skipped
  bool uses_files = false;
  std::vector<CellParameter> parameters;
};

// What `plumbline-suite-FLAVOUR --list` tells.
using CellKinds = std::vector<CellKind>;

CellKinds parse_cell_kinds(const std::string& text, const std::string& name);  // throws Error

// Asks the program. Throws Error (kCannotRunHere) when it does not answer.
CellKinds ask_for_cell_kinds(const std::filesystem::path& suite_program);

}  // namespace plumbline::bench
