#pragma once
// The columns of some ranks of an expected archive (expected_archive.hpp).

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/shared_work.hpp"
#include "replay/expect/columns/columns.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

// Columns by their numbers, in the order of for_each_column().
namespace column {
enum Index : std::uint8_t {
  kFree,
  kLower,
  kUpper,
  kBand,
  kAsRun,
  kAsRunUpper,
  kByInner,
  kIdealIo,
  kNotJudged,
  kAsConfigured,
  kAsConfiguredUpper,
  kAll,          // how many there are
  kOfRankBefore  // the same column of the rank that was read before
};
}  // namespace column

// A rank as it was read, and by which columns equal ones need not be kept twice: most ranks have no brackets, and are
// expected as they were configured.
struct ReadRank {
  const ExpectedRank& columns;
  std::array<column::Index, column::kAll>
      held_by;  // itself, one of the same rank that is held by itself, or kOfRankBefore
};

// ReadRank::held_by of a rank, by what is in its columns and in those of the rank before it.
std::array<column::Index, column::kAll> equal_columns(const ExpectedRank& rank, const ExpectedRank& before);

// Calls take(rank) for each rank of the block, in order, with columns that are gone after it, and returns the reasons
// that not_judged has indices of, in the order of their first use. Throws Error where the archive is damaged.
std::vector<std::string> read_each_rank(archive::Reader& reader, Block ranks,
                                        const std::function<void(const ReadRank&)>& take);

struct RanksRead {
  std::vector<ExpectedRank> ranks;
  std::vector<std::string> reasons;
};

// The same, kept in memory. Equal columns of a rank, and of one and the next, may have the same memory.
RanksRead read_ranks(archive::Reader& reader, Block ranks, const Scratch& scratch);

}  // namespace plumbline::replay
