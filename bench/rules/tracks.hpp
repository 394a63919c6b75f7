#pragma once
// A verdict by comparisons and by groups of the table.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/rules/rules.hpp"

namespace plumbline::bench {

enum class GuidelineVerdict {
  kHolds,
  kUnproven,  // slower than is allowed in these runs, and by chance as well as not
  kArtefact,  // slower in every way but that quartiles meet: times spread as much as they differ
  kViolated,
  kNotJudged,
};
GuidelineVerdict verdict_of(const RuleOutcome& outcome, double least_ratio);
std::string_view word(GuidelineVerdict verdict);  // "violated"

// One comparison in one layout under one MPI, at all of its sizes.
struct GuidelineTrack {
  const Rule* rule = nullptr;
  std::size_t comparison = 0;
  std::string mpi;
  std::uint32_t nodes = 1, per_node = 1;
  std::string title;               // "GL4: one block for all neighbours, and one for each, Moore 2D"
  std::vector<std::size_t> of_it;  // outcomes of the verdict, by size
  std::size_t judged = 0, violations = 0, artefacts = 0, unproven = 0;
  bool violated = false;                  // as a whole: is_violated_as_a_whole()
  std::optional<std::size_t> worst = {};  // outcome: violated ones before artefacts before others, by ratio
};

// In the order of the verdict.
std::vector<GuidelineTrack> tracks_of(const RulesVerdict& verdict, double least_ratio);

// Indices of what is violated as a whole; and of what is not but has artefacts. The worst ratio first.
std::vector<std::size_t> violated_worst_first(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks);
std::vector<std::size_t> artefacts_worst_first(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks);

// All tracks of a group under one MPI.
struct GuidelineGroup {
  std::string name, mpi;
  std::size_t tracks = 0, violated_tracks = 0;
  std::size_t tests = 0, violations = 0, artefacts = 0, unproven = 0;
  std::optional<std::size_t> worst = {};  // track: of those that are violated the one with the greatest ratio
};

// In the order of the table, then by MPI.
std::vector<GuidelineGroup> groups_of(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks);

}  // namespace plumbline::bench
