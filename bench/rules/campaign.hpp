#pragma once
// The text of a campaign that measures some terms of rules.

#include <string>
#include <vector>

#include "bench/rules/series.hpp"

namespace plumbline::bench {

// Each term in the layouts that its place asks for, at the block sizes of the options.
std::string campaign_text_of(const std::vector<Term>& terms, const RulesCampaign& options);

}  // namespace plumbline::bench
