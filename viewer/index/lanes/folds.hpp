#pragma once
// Ranks that behave alike, drawn as one lane, and those that do not, drawn alone with the reason.
//
// What a rank is like: its own and its inherited excess in each row of the comparison, in units of what the expectation
// allows there (the band), at least the threshold of the comparison. Of a recording alone: its time in each call.
// Ranks within one unit of a leader in every row are alike (leader clustering, Hartigan 1975, ch. 3; the first leader
// is the median of all ranks, the others come in order of rank, so the result depends on nothing else).

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Fold {
  std::vector<std::uint32_t> ranks;    // ascending, at least one
  std::uint32_t node = replay::kNone;  // index into nodes(), where all of them ran; kNone: on several
  std::uint32_t worst_rank = 0;        // of the greatest own excess; alone: of the longest time in calls
  std::string note;  // of one rank: what sets it apart from most: "+1.2 s own in MPI_File_write_at_all"; may be empty
};

struct Folds {
  std::vector<Fold> folds;             // by first rank
  std::vector<std::uint32_t> fold_of;  // by rank: index into `folds`
};

struct FoldOptions {
  std::uint32_t most_folds = 64;          // where there would be more, the unit is doubled until there are not
  std::uint32_t most_folds_by_node = 12;  // alike ranks of different nodes are told apart where this makes no more
  std::uint32_t few = 4;                  // so many ranks or fewer that are alike but unlike most are shown one by one
};

Folds fold_ranks(const Runs& runs, const FoldOptions& options = {});

}  // namespace plumbline::viewer
