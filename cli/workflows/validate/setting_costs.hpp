#pragma once
// What a setting costs, by runs with and without it.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/workflows/validate/session.hpp"
#include "cli/workflows/validate/twins.hpp"

namespace plumbline::cli::validate {

// Beyond chance (rank-sum test, p 0.05) and more than 1 % of the time of the cells.
bool is_costly(const TwinOutcome& outcome);

// By the least times, which others at work on the machine spoil last.
bool may_be_costly(const TwinOutcome& outcome);

// Cells that take twice as long or more on one side, in every run: "bcast", "11.9", "times as long with it".
std::vector<plumbline::validate::Datum> differing_cells(const TwinOutcome& outcome);

std::string text_of_doubt(const TwinOutcome& outcome, std::uint32_t pairs);

// The suite as a whole loses the share that its short cells lose. `setting` has an origin.
plumbline::validate::Diagnosis diagnosis_of(const Session& session, const plumbline::validate::Observation& setting,
                                            const std::string& mpi, const TwinOutcome& outcome, std::uint32_t pairs);

}  // namespace plumbline::cli::validate
