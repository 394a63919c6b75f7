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

// Adds a fault for each operation that there is none of, for sizes of what has none and the reverse, and for parameters
// that the operation has not or that are no numbers; each fault of a place once.
void check_terms(const std::vector<PlacedTerm>& terms, const Catalogue& catalogue, Diagnostics& faults);
void check_operations(const Rule& rule, const std::string& where, const Catalogue& catalogue, Diagnostics& faults);

// Terms say of each parameter that the table gives anywhere for their operation what it is, by default too.
void complete_terms(std::vector<Rule>& rules, const Catalogue& catalogue);

}  // namespace plumbline::bench
