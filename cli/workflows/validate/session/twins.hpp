#pragma once
// The same work twice, in turn: as the machine is set up, and with something changed. What differs is what the change
// is worth, measured, whatever the calibration took for granted.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/site.hpp"

namespace plumbline::cli::validate {

// Cells of the suite, as arguments of its program.
struct TwinWork {
  std::vector<std::string> arguments = {};
  std::vector<std::string> changed = {};  // environment of the changed side, "NAME=value"; "NAME=" removes a variable
  std::vector<std::string> changed_arguments = {};  // of the changed side, where they differ
  std::uint32_t pairs = 5;
  double seconds = 0;      // of all cells together, which are then repeated less often (--seconds); 0: as they say
  int least = 20;          // repetitions of a cell, whatever they take (--least)
  double patience_s = 60;  // of one run; of the changed side also no more than some times what the other took
  double grace_s = 10;     // after the last cell; MPI_Finalize of many ranks takes seconds
  // All times are typical ones: where ranks are stopped for moments, as by a quota, the others tell how often they
  // were.
  bool typical = false;
};

// Of one cell: seconds on its slowest rank, by pair, of as many repetitions as the first run made.
struct TwinCell {
  std::string name;
  std::vector<double> as_is, changed;
  double repetitions = 1;  // of the first run
  // Of as many repetitions as the median of blocks of them, which moments in which a rank is stopped hardly change.
  std::vector<double> typical_as_is = as_is, typical_changed = changed;
};

struct TwinOutcome {
  std::vector<TwinCell> cells;
  double as_is_s = 0, changed_s = 0;              // sums over cells of their medians
  double least_as_is_s = 0, least_changed_s = 0;  // and of their least: what others at work on the machine spoil last
  double p = 1;                                   // rank-sum test, one-sided, that the sum as it is takes longer
  bool is_apart = false;                          // each run as it is took longer than each changed one
  double took_s = 0;                              // all of it, but for hanging after the last cell
  std::string fault;
  bool typical = false;       // as the work
  bool as_is_failed = false;  // of the two sides it was the one without the change: no other change can be tried

  double gain_s() const { return as_is_s - changed_s; }
  double least_gain_s() const { return least_as_is_s - least_changed_s; }
};

// Of the same work in more pairs than either has. A fault of one of them is one of both.
TwinOutcome with_more_pairs(TwinOutcome first, const TwinOutcome& more);

// The same of some cells alone; a fault where none is among them.
TwinOutcome of_cells(TwinOutcome outcome, const std::function<bool(const TwinCell&)>& is_wanted);

// What a run of the suite's program tells of one cell, which is named with its parameters: "bcast:bytes=8".
struct CellTime {
  std::string name;
  double repetitions = 1, seconds = 0;
  double typical_s = 0;  // of as many repetitions as the median of blocks of them
};

// Of how many cells it has told; of those that it skips, too.
std::size_t cells_told_in(const std::filesystem::path& log);

// In their order, from the lines that it prints with --json; other lines are the launcher's.
std::vector<CellTime> times_in(const std::filesystem::path& log);

// Changes of the environment of what is launched. "NAME=" stands for a variable that is to be gone, which a child's
// environment cannot say: env -u does.
void add_changes(const std::vector<std::string>& changes, bench::Launch& launch);

// The sides take turns in going first. A side that fails makes a fault of the outcome, not an error.
TwinOutcome run_twins(const Site& site, const Mpi& mpi, const TwinWork& work, const std::filesystem::path& log);

}  // namespace plumbline::cli::validate
