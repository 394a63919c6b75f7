#pragma once
// The compilation of an archive as work that several processes share, each of them a block of ranks.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/team/shared_work.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

// Each process opens the archive by its path, from the same working directory, unless it has it open. The program is
// the same bytes at any number of them, and so are the summary and errors.
extern const SharedWork kCompile;

// How many processes an archive keeps busy for longer than it takes to start them.
std::uint32_t useful_processes(const archive::Definitions& definitions);

// `most`: more are of no use.
Program compile_together(Workers& workers, archive::Reader& reader, const std::filesystem::path& file,
                         CompileSummary& summary, const std::string& source, Damage damage, std::uint32_t most = ~0U);

}  // namespace plumbline::replay
