#pragma once
// Terms of a table held against what ranks can measure.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "bench/campaign/catalogue.hpp"
#include "bench/rules/rules.hpp"
#include "bench/rules/series.hpp"

namespace plumbline::bench {

struct PlacedTerm {
  Term term;
  std::string where;  // in the file
  std::string form;   // part of its settings that came from a form
};

// Adds a fault for each operation that there is none of, for sizes of what has none and the reverse, for parameters
// that the operation has not or that are no numbers, for a phase that is not one of the operation's or is lacking, and
// for levels of threads that no layout asks for; each fault of a place once. Operations of sizes need one, and no
// parameter that must be given.
void check_terms(const std::vector<PlacedTerm>& terms, const Catalogue& catalogue, Diagnostics& faults);
void check_operations(const Rule& rule, const std::string& where, const Catalogue& catalogue, Diagnostics& faults);

// Terms say of each parameter that one of these rules gives anywhere for their operation what it is: by default as the
// operation has it, of kFreshData as RulesCampaign has it. `rules`: all that one campaign measures.
void complete_terms(std::vector<Rule>& rules, const Catalogue& catalogue);

}  // namespace plumbline::bench
