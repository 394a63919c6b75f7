#pragma once
// The columns of an expected archive, read by several processes, each a block of ranks.

#include <cstdint>
#include <optional>

#include "base/team/shared_work.hpp"
#include "replay/expect/archive/expected_ranks.hpp"

namespace plumbline::replay {

// Each process opens the archive by its path, from the same working directory, unless it has it open.
extern const SharedWork kReadExpected;

// How many processes an archive keeps busy for longer than it takes to start them.
std::uint32_t useful_readers(archive::Reader& reader);

// As read_ranks() of all ranks, but that columns lie in files of the archive's directory that have no name any more.
// Nothing where it has to be done by one process: where others cannot be started, or are killed, or cannot write such
// a file. `most`: more are of no use.
std::optional<RanksRead> read_ranks_together(Workers& workers, archive::Reader& reader, std::uint32_t most = ~0U);

}  // namespace plumbline::replay
