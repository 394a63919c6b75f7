#pragma once
// Spools of one run become one archive. Two passes over each spool; location by location, so memory grows with what the
// program defined (communicators, files, call sites, ..) and not with what it called.

#include <filesystem>
#include <vector>

#include "base/files/output.hpp"
#include "base/team/shared_work.hpp"
#include "tracer/record/assemble/options.hpp"
#include "tracer/record/assemble/summary.hpp"

namespace plumbline::record {

// Writes the archive directory `output`. Spools of processes that should have initialised MPI and did not are left out;
// those of processes that were recorded without MPI come behind the ranks, as locations that speak for none. Throws
// Error when there is nothing to assemble, when the spools are of different runs, and when the output cannot be
// written.
AssembleSummary assemble(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& output,
                         Overwrite overwrite, const AssembleOptions& options = {});

// The same by several processes, each of which decodes a block of the processes that were recorded. The archive is the
// same, to the byte. Pseudonyms are given by one process alone, because they are counted in the order of the calls.
AssembleSummary assemble(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& output,
                         Overwrite overwrite, const AssembleOptions& options, Workers& workers);
extern const SharedWork kAssemble;

}  // namespace plumbline::record
