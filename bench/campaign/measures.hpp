#pragma once
// [[measure]] and [settings] of a campaign file: what is asked of the ranks.

#include <vector>

#include "bench/campaign/catalogue.hpp"
#include "bench/campaign/section.hpp"
#include "bench/results/plan.hpp"

namespace plumbline::bench {

// How measuring is done, for one [[measure]] or, from [settings], for all.
struct Settings {
  Effort effort;
  bool keep_ranks = false;
  bool own_budget = false;  // the file says a budget
};

void read_settings(Section& section, Settings& into);

// One request for each combination of operation, implementation, value of each parameter, and size.
struct Asked {
  Request request;
  std::uint32_t least_ranks = 1;
  bool own_budget = false;
};
std::vector<Asked> read_measure(Section& section, const Catalogue& catalogue, const Settings& settings);

}  // namespace plumbline::bench
