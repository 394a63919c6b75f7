#pragma once
// The columns of some ranks of an expected archive (expected_archive.hpp).

#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/shared_work.hpp"
#include "replay/expect/columns/columns.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

struct RanksRead {
  std::vector<ExpectedRank> ranks;
  std::vector<std::string> reasons;  // that not_judged has indices of, in the order of their first use
};

// Throws Error where the archive is damaged. Equal columns of a rank, and of one and the next, may have the same
// memory.
RanksRead read_ranks(archive::Reader& reader, Block ranks, const Scratch& scratch);

}  // namespace plumbline::replay
