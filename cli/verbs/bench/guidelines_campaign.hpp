#pragma once
// What `plumbline bench guidelines` is asked to measure.

#include <string>
#include <vector>

#include "base/error.hpp"
#include "bench/campaign/launch.hpp"
#include "bench/rules/rules.hpp"
#include "bench/rules/table/table.hpp"
#include "cli/verbs/bench/bench.hpp"

namespace plumbline::cli {

// The guidelines that were chosen. Throws Error for a table at fault, for a choice that names nothing, and where
// nothing is left.
std::vector<bench::Rule> guidelines_table(const BenchGuidelinesOptions& options, const bench::Catalogue* catalogue);

// `installed`: MPIs. Throws Error for options that do not go together.
bench::RulesCampaign guidelines_campaign(const BenchGuidelinesOptions& options,
                                         const std::vector<std::string>& installed, std::uint32_t cores);

// That these guidelines have no operation to measure in this campaign, and which option gives them some.
Error nothing_to_measure(const bench::RulesCampaign& campaign, const std::vector<bench::Rule>& table);

// Throws Error (kCannotRunHere).
void require_mpis(const bench::RulesCampaign& campaign, const std::vector<bench::Installed>& installed);

}  // namespace plumbline::cli
