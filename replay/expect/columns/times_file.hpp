#pragma once
// The times of every operation in one replay as a file: what a replay hands to the process that asked for it.
//
// Little-endian: "PLTIMES1", content key of the program u64, ranks u64, 0 u64; operations of each rank u64; then begin
// and end of each operation, i64 ps, rank by rank.

#include <filesystem>
#include <vector>

#include "base/memory/scratch.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// `times` by rank, one entry per operation. Replaces a file that is there.
void write_times(const std::filesystem::path& file, const Program& program,
                 const std::vector<Column<OperationTimes>>& times);

// Error where the file is damaged, or of another program.
std::vector<Column<OperationTimes>> read_times(const std::filesystem::path& file, const Program& program,
                                               const Scratch& scratch = {});

}  // namespace plumbline::replay
