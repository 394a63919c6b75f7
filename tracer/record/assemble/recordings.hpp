#pragma once
// The spools of one run, opened and held against each other.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/record/launch/ends.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

struct Recording {
  std::unique_ptr<spool::Spool> spool;  // not loaded: by whoever decodes it
  std::uint32_t rank = 0;               // of processes without MPI: a number behind all ranks
  bool is_server = false;               // recorded without MPI
  std::string end;                      // ends.hpp
  std::optional<EndNote> note;          // of its parent
  std::uint32_t threads = 0;            // of the spool, once anybody has loaded it
  bool is_own = false;                  // loaded and decoded by this process
};

// The spools of processes that initialised MPI, by rank, then those of processes that were recorded without MPI; what
// is left out or missing is remarked, and the size of the world is in the summary. Throws Error when the spools are of
// different runs, when nothing was recorded, and when those that were are too few to be a recording of the run.
std::vector<Recording> open_recordings(const std::vector<std::filesystem::path>& paths, AssembleSummary& summary);

// The header and MPI_COMM_WORLD must tell of the same number of ranks: everything is sized by it. Throws Error.
void require_world(const spool::Spool& spool, const ProcessFacts& facts);

}  // namespace plumbline::record
