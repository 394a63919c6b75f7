#pragma once
// Campaigns as text, CSV and JSON.

#include <span>
#include <string>
#include <vector>

#include "bench/report/campaign_difference.hpp"
#include "bench/report/selection.hpp"
#include "bench/report/summary.hpp"

namespace plumbline::cli {

std::string rows_text(std::span<const bench::SummaryRow> rows);  // a table for each subject
std::string rows_csv(std::span<const bench::SummaryRow> rows);
std::string rows_json(std::span<const bench::SummaryRow> rows);

std::string cells_text(const bench::Campaign& campaign, const bench::Selection& selection);
std::string raw_csv(const bench::Campaign& campaign, const bench::Selection& selection);

// Significant: q at most `rate`.
std::string against_text(const bench::AgainstReference& differences, double rate);
std::string against_json(const bench::AgainstReference& differences, double rate);

// Host, time and runs, and what disturbed them.
std::string circumstances_text(const bench::Campaign& campaign);

}  // namespace plumbline::cli
