#pragma once
// The text of a campaign that measures some cells of rules.

#include <string>
#include <string_view>
#include <vector>

#include "bench/rules/series.hpp"

namespace plumbline::bench {

// As TOML has it, in quotes.
std::string toml_string(std::string_view text);

// Each in the layout that its place asks for. Of the options the sizes are not looked at.
std::string campaign_text_of(const std::vector<RuleCell>& cells, const RulesCampaign& options);

}  // namespace plumbline::bench
