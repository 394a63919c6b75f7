#pragma once
// The suite that `plumbline validate` records, replays and compares, as its file describes it (docs/suite.md): TOML,
// checked against the cells that the program of the suite has.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/suite/cell_kinds.hpp"

namespace plumbline::bench {

// One start of a program.
struct SuiteEntry {
  std::string name;                               // of letters, digits, '-', '_' and '.': also of its directory
  std::vector<std::string> cells = {};            // as the program takes them: "halo:side=512,steps=20"
  std::vector<std::string> program = {};          // words of a user's own command line; empty: there are cells
  std::uint32_t ranks = 0;                        // 0: all that there are
  std::map<std::string, std::string> hints = {};  // of MPI-IO, for the cells
  std::map<std::string, std::string> environment = {};
  // Of all its cells together, which are then repeated less often, down to 20 times; 0: as often as they say. Of a
  // program of a user's own it is about how long that runs.
  double seconds = 0;

  bool operator==(const SuiteEntry&) const = default;
};

struct Suite {
  std::string name, text;  // text: the file
  std::vector<SuiteEntry> entries;
};

// Throws one Error with all faults of the file, each as "FILE:LINE:COLUMN".
Suite parse_suite(const std::string& text, const std::string& file, const CellKinds& kinds);

// "quick", "default", "full": part of the command. The text has the form of a file, with comments.
std::vector<std::string> built_in_suites();
std::string_view built_in_suite(std::string_view name);  // throws Error (kWrongUse) where there is no such one

// Whether any of its cells uses files; of a program of a user's own that is not known, and false.
bool uses_files(const SuiteEntry& entry, const CellKinds& kinds);
bool uses_files(const std::string& cell, const CellKinds& kinds);  // "read_level0:calls=2"

// The words behind the launcher's. `directory`: of files.
std::vector<std::string> command_of(const SuiteEntry& entry, const std::filesystem::path& suite_program,
                                    const std::filesystem::path& directory);

}  // namespace plumbline::bench
