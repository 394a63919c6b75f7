#pragma once
// A campaign as rules look at it: for each thing that was measured at one size, the median of each run.

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {

struct RuleLayout {
  std::string mpi;
  std::uint32_t nodes = 1, per_node = 1;

  std::uint32_t ranks() const { return std::max(1U, nodes * per_node); }
  auto operator<=>(const RuleLayout&) const = default;
};

using RuleSettings = std::map<std::string, std::string>;

// Parameter of operations whose repetitions can take the next piece of so many MiB.
inline constexpr char kFreshData[] = "fresh_mib";

// "topology=complete piece=512"
RuleSettings settings_of_text(std::string_view text);

// Of the library's own operations.
struct RuleSeries {
  RuleLayout layout;
  Place place = Place::kOfLayout;
  std::string operation;
  RuleSettings settings;  // words and numbers of the cells but kWay, and how they were timed
  std::uint64_t bytes = 0;
  std::map<std::uint32_t, double> of_runs = {};  // seconds: of several cells of one run the median of their medians
  std::map<std::uint32_t, RunBox> boxes = {};    // of these runs: repetitions
  std::set<std::uint32_t> disturbed = {};        // of these runs
  double resolution_s = 0;                       // of the clock: its bound, and a reading at least
  std::string sharing = {};                      // that its ranks share cores (sharing_of); empty: they do not

  bool is_of(const Term& term) const;
};

// By layout, place, operation, settings and size.
std::vector<RuleSeries> series_of(const Campaign& campaign);

}  // namespace plumbline::bench
