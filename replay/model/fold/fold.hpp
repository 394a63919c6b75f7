#pragma once
// A recorded run as the text of a model, with loops and with peers as expressions in procnum and numprocs where ranks
// and iterations agree (docs/reference/folding.md). Memory: what one rank does as far as it does not repeat, and for
// every statement of the model a mean for each rank.

#include <cstdint>
#include <string>
#include <vector>

#include "replay/model/fold/calls.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

struct FoldedModel {
  std::string text;  // parse_model() takes it
  std::uint32_t ranks = 0;
  std::uint64_t operations = 0;  // of the recording
  std::uint64_t calls = 0;       // of them, those that the model makes
  std::uint64_t directives = 0;
  std::vector<NotFolded> not_folded;  // most operations first
  // Of what the longest rank does: by how much all ranks together are longer than the model says, in those iterations
  // that are longer than usual. The run is longer by no more, where ranks wait for all of it one after the other.
  double unevenness = 0;
};

bool is_uneven(const FoldedModel& model);  // so much that it is worth telling

// `name` is told in the head of the text. Throws Error where nothing was recorded that can be folded.
FoldedModel fold(const Program& program, const std::string& name);

}  // namespace plumbline::replay::model
