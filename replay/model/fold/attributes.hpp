#pragma once
// What a folded call says: its attributes, and times that hold in some iterations, in the language of models.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "replay/model/fold/ranks.hpp"
#include "replay/model/fold/times.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

struct LoopAround {
  std::string variable;
  std::uint64_t iterations = 0;
};

// Where a statement stands in the text of a model.
struct Standing {
  const Program& program;
  const RecordedCalls& calls;     // of the program
  std::vector<LoopAround> loops;  // from the outermost on
  Alike alike;                    // before and in the statement
  std::size_t depth = 0;          // of indentation
};

// All that its type has and that is not what it is anyway: " size = 8 to = procnum+1".
std::string attributes_of(const RankedStatement& one, const Standing& standing);

// Whether an expression of it has no room for all of its ranks.
bool is_too_long(const RankedStatement& one, const Standing& standing);

// What passes longer for one of the ranks, some of the times: "(procnum == 2) ? table(i0, 17, 1.2ms)*computation : 0s".
std::string longer_text(std::uint32_t rank, const RankSet& ranks, const std::vector<Passage>& passages,
                        const std::string& factor, const Standing& standing);

// Whether something in the block depends on the iteration of the loop that has so many around it.
bool uses_variable(std::span<const RankedStatement> block, std::size_t around);

}  // namespace plumbline::replay::model
