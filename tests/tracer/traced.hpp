#pragma once
// Runs small MPI programs under the preload library and looks into the spools that they leave.

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tracer/spool/spool.hpp"

namespace plumbline::spool::test {

struct Job {
  std::string flavour = {};  // "openmpi" or "mpich"
  std::string program = {};  // of tests/tracer/programs
  int ranks = 1;
  std::vector<std::string> arguments = {};
  bool traced = true;
  std::string tracer = {};                                 // of another flavour, if not empty
  std::string environment = {};                            // "NAME=value ", in front of mpirun
  std::string preload_behind = {}, preload_in_front = {};  // of the tracer, or of nothing where nothing is traced
  bool spooled = true;                                     // false: the tracer is loaded, and is not to record
};

struct Outcome {
  int status = -1;             // of mpirun
  std::string output;          // standard output, lines sorted (ranks finish in any order)
  std::string errors;          // standard error
  std::filesystem::path work;  // an empty directory at the start
  std::filesystem::path spools;
};

std::vector<std::string> flavours();  // those that can be run here
std::filesystem::path preload_library(const std::string& flavour);
std::filesystem::path program_path(const std::string& flavour, const std::string& program);
Outcome run(const Job& job);
Outcome run_shell(const std::string& command, const std::filesystem::path& work);
std::filesystem::path fresh_directory();

// A record with the name and layout of its function.
struct Call {
  std::string name;
  pl_layout layout = PL_LAYOUT_NONE;
  std::uint32_t thread = 0, site = 0;
  bool done = false;
  std::uint64_t begin = 0, end = 0;
  std::vector<std::uint64_t> words;
  std::uint32_t file_bytes = 0;
  PollRun run = {};  // of polls that it stands for; none: 0 polls

  std::int32_t low(std::size_t word) const { return static_cast<std::int32_t>(words.at(word)); }
  std::int32_t high(std::size_t word) const { return static_cast<std::int32_t>(words.at(word) >> 32); }
  std::int64_t number(std::size_t word) const { return static_cast<std::int64_t>(words.at(word)); }
};

struct Comm {
  std::uint32_t parent = 0, sequence = 0;
  int own_rank = 0;
  std::vector<int> members = {}, remote = {};
};

struct Datatype {
  std::uint32_t combiner = 0;
  std::int64_t size = 0, lower = 0, extent = 0;
  std::vector<std::int64_t> integers = {}, addresses = {};
  std::vector<std::uint32_t> types = {};
};

struct Window {
  std::uint32_t comm = 0, kind = 0, sequence = 0;
  std::uint64_t bytes = 0, unit = 0;
};

// Everything in one spool, definitions resolved.
struct Content {
  explicit Content(const std::filesystem::path& path);

  std::vector<Call> of(const std::string& name) const;  // in order
  const Call& only(const std::string& name) const;      // throws unless there is exactly one

  Spool spool;
  std::vector<Call> calls;  // thread by thread
  std::map<std::uint32_t, Comm> comms;
  std::map<std::uint32_t, std::string> comm_names, files;
  std::map<std::uint32_t, Datatype> types;
  std::map<std::uint32_t, std::uint64_t> sites;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> hints;  // by file and 0 asked, 1 in force
  std::map<std::uint32_t, std::vector<std::uint64_t>> persistents;       // by number; payload behind [number | layout]
  std::map<std::uint32_t, std::vector<std::uint32_t>> neighbours_to, neighbours_from;  // by communicator
  std::map<std::uint32_t, Window> windows;
  std::map<std::uint32_t, std::string> window_names;
  std::vector<std::string> modules, meta, mounts;
  std::size_t clocks = 0, run_delays = 0;
};

// All spools of a run, by world rank.
std::vector<std::unique_ptr<Content>> contents(const Outcome& outcome);

}  // namespace plumbline::spool::test
