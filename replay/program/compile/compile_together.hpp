#pragma once
// The compilation of an archive as work that several processes share, each of them a block of ranks.

#include <filesystem>
#include <string>

#include "base/team/shared_work.hpp"
#include "replay/program/compile/compile.hpp"

namespace plumbline::replay {

// Each process opens the archive by its path, from the same working directory. The program is the same bytes at any
// number of them, and so are the summary and errors.
extern const SharedWork kCompile;

// Whether it takes less time with the others than alone.
bool is_worth_sharing(const archive::Definitions& definitions, const Workers& workers);

// Whether or not it is worth it.
Program compile_together(Workers& workers, const archive::Reader& reader, const std::filesystem::path& file,
                         CompileSummary& summary, const std::string& source, Damage damage);

}  // namespace plumbline::replay
