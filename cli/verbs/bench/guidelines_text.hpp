#pragma once
// What a campaign of guidelines found, for people and as CSV.

#include <string>
#include <vector>

#include "bench/rules/tracks.hpp"
#include "bench/rules/trial.hpp"

namespace plumbline::cli {

struct GuidelinesReport {
  const bench::Campaign& campaign;
  const bench::RulesVerdict& verdict;
  const std::vector<bench::GuidelineTrack>& tracks;
  bench::RuleOptions options;
  // [tracks] what to set, one a line; empty where nothing is violated.
  std::vector<std::vector<std::string>> proposals;
};

// Verdict first, a line for each group of the table; then what is violated, worst first, with what to set.
std::string guidelines_text(const GuidelinesReport& report);

// Every comparison at every size, with the spread of both sides.
std::string guidelines_details(const GuidelinesReport& report);

std::string guidelines_csv(const GuidelinesReport& report);

std::string trials_text(const std::vector<bench::Trial>& trials);

// The table: ids, what they say, how many comparisons.
std::string guidelines_list(const std::vector<bench::Rule>& table);

std::string count_of_things(std::size_t count, const char* what);  // "1 test", "3 tests"
std::string text_of_spread(const bench::Spread& spread);           // "[1 us .. 2 us]"

// The least p that any of the tests could have; 1 where nothing is judged.
double least_p(const bench::RulesVerdict& verdict);

}  // namespace plumbline::cli
