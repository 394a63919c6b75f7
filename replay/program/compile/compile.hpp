#pragma once
// From an archive to a program. One location at a time; memory does not grow with the length of the trace. `workers`
// share the ranks of a large archive among them: only where the process has a single thread, if they are forked. Null:
// this process does it alone. What comes out is the same.

#include <filesystem>
#include <string>

#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline {
class Workers;
}

namespace plumbline::replay {

// Compiles into `file`, replacing it. Errors: a wait on a request never started, an event outside any call, a
// communicator that the archive does not define: located (archive, rank, event). `source`: the archive's
// content_hash(), where it is known.
Program compile(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary,
                const std::string& source = {}, Damage damage = Damage::kRefuse, Workers* workers = nullptr);

// The program of the archive at `path`: from the cache if one made from the same content exists, else compiled and
// cached (beside the archive if that is writable, else in the user's cache directory, else in a temporary file).
Program program_of(const std::filesystem::path& archive, CompileSummary& summary, Workers* workers = nullptr);
// Likewise, of an archive that is already open.
Program program_of(archive::Reader& reader, CompileSummary& summary, Workers* workers = nullptr);

// Of a damaged archive as much as can be read: each rank up to its first fault, which the summary's remarks tell
// ("incomplete: .."). Not kept for later. Error where even the definitions cannot be read, or what is left makes no
// program.
Program readable_part_of(const std::filesystem::path& archive, CompileSummary& summary, Workers* workers = nullptr);

}  // namespace plumbline::replay
