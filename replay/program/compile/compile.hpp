#pragma once
// From an archive to a program. One location at a time; memory does not grow with the length of the trace. `workers`
// share the ranks of a large archive among them: only where the process has a single thread, if they are forked. Null:
// this process does it alone. What comes out is the same.

#include <filesystem>
#include <string>
#include <vector>

#include "replay/program/program.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline {
class Workers;
}

namespace plumbline::replay {

struct CompileSummary {
  std::uint64_t operations = 0, messages = 0;
  std::vector<std::string> lacks;    // what the archive does not tell, and which features are therefore off
  std::vector<std::string> remarks;  // what was found odd: unmatched requests, skipped records, clock disorder
  bool from_cache = false;
  std::filesystem::path kept = {};  // the file of the program; none where it has no name
};

template <class Io>
void fields(Io& io, CompileSummary& s) {
  io(s.operations, s.messages, s.lacks, s.remarks);
}

// What a damaged location makes of a compilation: an Error, or a rank up to its first fault (readable_part_of).
enum class Damage { kRefuse, kLeaveOut };

// Compiles into `file`, replacing it. Errors: a wait on a request never started, an event outside any call, a
// communicator that the archive does not define: located (archive, rank, event). `source`: the archive's
// content_hash(), where it is known.
Program compile(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary,
                std::string source = {}, Damage damage = Damage::kRefuse, Workers* workers = nullptr);

// The program of the archive at `path`: from the cache if one made from the same content exists, else compiled and
// cached (beside the archive if that is writable, else in the user's cache directory, else in a temporary file).
Program program_of(const std::filesystem::path& archive, CompileSummary& summary, Workers* workers = nullptr);
// Likewise, of an archive that is already open.
Program program_of(archive::Reader& reader, CompileSummary& summary, Workers* workers = nullptr);

// Of a damaged archive as much as can be read: each rank up to its first fault, which the summary's remarks tell
// ("incomplete: .."). Not kept for later. Error where even the definitions cannot be read, or what is left makes no
// program.
Program readable_part_of(const std::filesystem::path& archive, CompileSummary& summary, Workers* workers = nullptr);

// The location that speaks for each rank. Error when there is none, or not exactly one for each.
std::vector<std::uint32_t> locations_by_rank(const archive::Definitions& definitions, const std::string& where);

// XXH3-128 of the archive's files, as hexadecimal text. A program has that of its archive as its property "source".
std::string content_hash(const std::filesystem::path& archive);

}  // namespace plumbline::replay
