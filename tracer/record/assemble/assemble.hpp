#pragma once
// Spools of one run become one archive. Two passes over each spool; location by location, so memory grows with what the
// program defined (communicators, files, call sites, ..) and not with what it called.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/output.hpp"
#include "base/team/shared_work.hpp"

namespace plumbline::record {

struct AssembleSummary {
  std::uint32_t ranks = 0;  // whose recordings were found
  std::uint32_t world_size = 0;
  std::uint32_t servers = 0;         // processes that were recorded without MPI
  std::uint32_t idle_servers = 0;    // likewise, without a call: left out
  std::uint64_t operations = 0;      // calls of the program
  std::uint64_t message_bytes = 0;   // sent point to point
  std::uint64_t io_bytes = 0;        // asked of files by the program and done
  std::uint64_t in_flight = 0;       // calls that had not returned at the end
  std::vector<std::string> remarks;  // what is missing, damaged or odd; each a sentence

  void remark(std::string text);  // the first 50 are kept
};

template <class Io>
void fields(Io& io, AssembleSummary& s) {
  io(s.ranks, s.world_size, s.servers, s.idle_servers, s.operations, s.message_bytes, s.io_bytes, s.in_flight,
     s.remarks);
}

struct AssembleOptions {
  std::vector<std::filesystem::path> exchanges;           // files of clock_file.hpp
  std::string description;                                // of the trace: the command line
  std::vector<std::filesystem::path> samples = {};        // of the nodes (spool::find_samples)
  std::function<void(double share)> progress = {};        // 0 to 1; may be empty
  std::optional<std::uint64_t> stopped_realtime_ns = {};  // the user stopped the run then
  bool anonymize = false;                                 // what users have named gets pseudonyms (pseudonyms.hpp)
};

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
