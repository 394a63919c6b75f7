#pragma once
// What all attempts of a campaign have measured together.

#include <cstdint>
#include <set>
#include <vector>

#include "bench/campaign/parts.hpp"
#include "bench/campaign/schedule.hpp"
#include "bench/results/campaign.hpp"

namespace plumbline::bench {

struct Gathered {
  Campaign campaign;
  // [starts] requests of its plan: asked and answered; those of them that could not be measured, as ranks say in a note
  std::vector<std::set<std::uint32_t>> done, failed;
};

// Adds what the ranks wrote in `attempt`: a run with its cells and what disturbed it, unless they never began. The answer
// says whether they did. A stream that cannot be read becomes a note.
bool gather(const Parts& parts, const Attempt& attempt, const Description& description,
            const std::vector<Start>& starts, Gathered& into);

}  // namespace plumbline::bench
