#pragma once
// The text of a campaign that measures some cells of rules.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/campaign/catalogue.hpp"
#include "bench/rules/series.hpp"

namespace plumbline::bench {

// As TOML has it, in quotes.
std::string toml_string(std::string_view text);

// What a table asks for with these options; nothing where it is all of files without a directory, or between nodes of
// one. `catalogue`: what has no parameter kFreshData is measured without; nullptr: all have it.
std::vector<RuleCell> cells_of(const RulesCampaign& options, std::span<const Rule> table,
                               const Catalogue* catalogue = nullptr);

// Blocks of the options that are measured, in their order; at least one.
std::vector<std::uint64_t> blocks_of(const RulesCampaign& options);

// Those that are not, because those of all ranks are more than the options allow.
std::vector<std::uint64_t> left_out_blocks(const RulesCampaign& options);

bool is_of_files(std::string_view operation);  // what needs a directory

// Each in the layout that its place asks for. Of the options the sizes are not looked at.
std::string campaign_text_of(const std::vector<RuleCell>& cells, const RulesCampaign& options);

}  // namespace plumbline::bench
