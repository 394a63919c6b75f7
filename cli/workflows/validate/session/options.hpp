#pragma once
// What a user asks of `plumbline validate`.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::cli::validate {

enum class Level { kQuick, kDefault, kFull };

struct Options {
  std::string version, command;     // of Plumbline; as it was called, for the report
  std::filesystem::path directory;  // of everything that is written
  std::vector<std::string> mpis;    // "openmpi", "mpich"; empty: the first that is installed
  std::string launcher;             // words in front of the program: "srun -n 64"; empty: mpirun of each MPI
  std::filesystem::path hosts;      // one host a line, "n0" or "n0 slots=2"; empty: this one
  std::uint32_t per_node = 0;       // ranks on each node; 0: one for each core that this process may use
  Level level = Level::kDefault;
  std::filesystem::path suite;        // TOML; empty: that of the level
  std::vector<std::string> programs;  // command lines of the user's own, each with its launcher
  std::vector<std::filesystem::path>
      io;  // directories whose storage is measured and used; empty: the working directory
  std::filesystem::path baseline, nominal, suppress;
  std::vector<std::string> only;  // ids of checks, '*' for any characters; empty: all
  std::uint32_t jobs = 1;         // replays at a time; 0: as many as there are processors
  bool resume = false, force = false, try_advice = false;
};

std::string_view word(Level level);

}  // namespace plumbline::cli::validate
