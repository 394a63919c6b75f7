#pragma once
// The spools of one run, opened and held against each other.

#include <filesystem>
#include <vector>

#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::record {

// The spools of processes that initialised MPI, by rank, then those of processes that were recorded without MPI; what
// is left out or missing is remarked, and the size of the world is in the summary. Throws Error when the spools are of
// different runs, when nothing was recorded, and when those that were are too few to be a recording of the run.
std::vector<Recording> open_recordings(const std::vector<std::filesystem::path>& paths, AssembleSummary& summary);

// The header and MPI_COMM_WORLD must tell of the same number of ranks: everything is sized by it. Throws Error.
void require_world(const spool::Spool& spool, const ProcessFacts& facts);

}  // namespace plumbline::record
