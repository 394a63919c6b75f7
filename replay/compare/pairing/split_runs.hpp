#pragma once
// Two runs of one program whose MPI-IO calls became other POSIX operations: the time lost there is the structure's.

#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// From here on a difference in the number of POSIX operations is worth a word: to the ideal form, or to another run.
inline constexpr std::uint64_t kSplitFactor = 2;

// Data operations (reads and writes) inside one operation.
std::uint64_t inner_data_operations(const RankProgram& rank, std::uint32_t operation);

// For columns made from a reference run, whose ideal_io are the operations that the reference made: where all
// occurrences of a call at one place together made kSplitFactor times as many as the reference, as-run becomes the
// observed duration, so that the excess of these calls counts as structure.
void explain_split_calls(const Program& observed, Expected& reference);

}  // namespace plumbline::replay
