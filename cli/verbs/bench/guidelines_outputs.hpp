#pragma once
// Files that `plumbline bench guidelines` writes: beside its result, and where it is told to.

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/output.hpp"
#include "bench/rules/proposals.hpp"
#include "bench/rules/tracks.hpp"
#include "bench/rules/trial.hpp"
#include "cli/verbs/bench/bench.hpp"

namespace plumbline::cli {

// --force; and --resume, for what the run that is gone on with has written.
Overwrite overwrite_of(const BenchGuidelinesOptions& options);

// Before anything is measured: throws Error for a CSV or a result that is an input or the other one as well, and for a
// CSV, pictures and trials' results that are there and are not to be replaced. `mpis`: of the trials.
void require_outputs(const BenchGuidelinesOptions& options, const std::vector<std::string>& mpis);

// "own-try-mpich-1x2.h5"; where another one is of several.
std::filesystem::path result_of_trials(const std::filesystem::path& result, const bench::Trial& of_them);

// A proposal, and where its tuning file is to be: empty where it has none.
struct PlacedProposal {
  bench::Proposal proposal;
  std::filesystem::path file;
};

// [tracks]; empty for what is not violated. Each tuning file is beside the result, "own-tuning-1.conf", under the first
// number that is free or has the same contents; with kYes the first ones. Nothing is written yet.
std::vector<PlacedProposal> proposals_of(const bench::RulesVerdict& verdict,
                                         const std::vector<bench::GuidelineTrack>& tracks,
                                         const std::filesystem::path& result, Overwrite overwrite);
void write_tuning_files(const std::vector<PlacedProposal>& proposals);

// Of what is violated, worst first, and then of artefacts, as many as a reader looks at. A line that says so.
std::string write_plots(const std::filesystem::path& directory, const bench::RulesVerdict& verdict,
                        const std::vector<bench::GuidelineTrack>& tracks, Overwrite overwrite);

}  // namespace plumbline::cli
