#pragma once
// What a setting costs, by runs with and without it.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "cli/workflows/validate/session/twins.hpp"

namespace plumbline::cli::validate {

inline constexpr std::uint32_t kLeastPairs = 5;  // fewer cannot show a cost

// Beyond chance (rank-sum test, p 0.004) and more than 1 % of the time of the cells.
bool is_costly(const TwinOutcome& outcome);

// By the least times, which others at work on the machine spoil last.
bool may_be_costly(const TwinOutcome& outcome);

// Some settings cost single cells what others gain: over all cells there is no loss, and a program that does as the
// losing cells do is slow nevertheless. To be asked of few runs, and what they show of others: cells that are picked
// because they lose, and are then tested by the same runs, lose by chance too. Cells are held against each other by
// their typical times, since a single moment in which a rank is stopped makes a short cell several times as long.
// 1.5 times as long with it or more, in every run.
std::vector<std::string> losing_cells(const TwinOutcome& outcome);

struct CellLoss {
  double lost_s = 0;       // the cells' medians with the setting, less those without
  double p = 1;            // rank-sum test, one-sided, of the sums of their logarithms by run
  double share_alike = 0;  // the parts of their times that are lost, over the number of all cells
};
CellLoss loss_in(const TwinOutcome& outcome, const std::vector<std::string>& cells);

// As is_costly, of the cells; or beyond chance and more than 2 % of the time of the cells, all weighed alike. A suite's
// seconds are those of large messages and files: what a setting does to small messages hardly shows among them.
bool is_costly(const TwinOutcome& outcome, const CellLoss& loss);

// The runs were short, and show a cost, over all cells or in these, that may be chance (p up to 0.1): as many again
// decide, together with them. Two looks of one test let chance through in 0.6 of 100 settings that cost nothing
// (seven or five pairs; 200,000 draws without ties).
bool is_unclear(const TwinOutcome& outcome, const CellLoss& loss);

// Of few pairs: whether more of them are worth their time. They are where each run with it took longer than each
// without, where single cells lose more than 1 % of the time of all or 2 % weighed alike, and, if runs are short, where
// by their least times it costs 5 % though they overlap, as they do beside other work.
bool is_worth_more_pairs(const TwinOutcome& outcome);

// Of some of the cells, with and without several settings at once: what one of these costs them others may gain in the
// rest. Each run of them with the settings took longer than each without, and they lose 5 % by their least times.
bool loses_much(const TwinOutcome& part);

// Cells that take twice as long or more on one side, in every run: "bcast", "11.9", "times as long with it".
std::vector<replay::validate::Datum> differing_cells(const TwinOutcome& outcome);

std::string text_of_doubt(const TwinOutcome& outcome, std::uint32_t pairs);

// What runs with and without a setting have shown: over all cells, or in those that lose by it.
struct SettingTrial {
  const TwinOutcome& outcome;
  std::vector<std::string> losing;  // empty: over all cells
  std::uint32_t pairs;
};

// The suite as a whole loses the share that its short cells lose. `setting` has an origin.
replay::validate::Diagnosis diagnosis_of(const Session& session, const replay::validate::Observation& setting,
                                         const std::string& mpi, const SettingTrial& trial);

}  // namespace plumbline::cli::validate
