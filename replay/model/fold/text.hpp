#pragma once
// A folded recording in the language of models: the last step of folding (fold.hpp).

#include <string>

#include "replay/model/fold/ranks.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

// The constant that every computation is multiplied with: "Constant computation = 1".
inline constexpr const char* kComputation = "computation";

struct FoldedText {
  std::string text;
  std::uint64_t directives = 0;
};

// Of the blocks and what they compute; without a head. The program is the one that `calls` are of.
FoldedText directives_of(const Program& program, const RecordedCalls& calls, const RankedBlock& block);

}  // namespace plumbline::replay::model
