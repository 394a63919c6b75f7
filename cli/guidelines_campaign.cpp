#include "cli/guidelines_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "bench/campaign/sizes.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

// '*' stands for any characters.
bool fits(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() != '*')
    return !name.empty() && name.front() == pattern.front() && fits(name.substr(1), pattern.substr(1));
  for (std::size_t i = 0; i <= name.size(); ++i)
    if (fits(name.substr(i), pattern.substr(1))) return true;
  return false;
}

void choose_comparisons(bench::Rule& rule, const BenchGuidelinesOptions& options) {
  const auto is_named = [&](const std::string& name) {
    return std::ranges::any_of(options.only, [&](const std::string& pattern) { return fits(name, pattern); });
  };
  const bool all = options.only.empty() || is_named(rule.id) || is_named(rule.group);
  std::erase_if(rule.comparisons, [&](const bench::Comparison& comparison) {
    return (!all && !is_named(comparison.name)) || (options.quick && !comparison.is_first_form);
  });
  if (!all) rule.operations.clear();
}

std::vector<std::uint64_t> blocks_of(const BenchGuidelinesOptions& options) {
  try {
    std::vector<std::uint64_t> blocks = bench::parse_sizes(options.sizes);
    std::ranges::sort(blocks);
    if (blocks.front() > 0) return blocks;
  } catch (const Error& error) {
    throw Error("--sizes", error.problems()[0].what, error.problems()[0].hint, ExitCode::kWrongUse);
  }
  throw Error("--sizes", "a block has a byte at least", "--sizes 8,1KiB,64KiB", ExitCode::kWrongUse);
}

}  // namespace

std::vector<bench::Rule> guidelines_table(const BenchGuidelinesOptions& options, const bench::Catalogue* catalogue) {
  const std::string text =
      options.table.empty() ? "" : read_text_file(options.table, "plumbline bench guidelines --example prints a table");
  if (!options.table.empty() && text.empty()) throw Error(options.table.string(), "is empty", "leave it out");
  std::vector<bench::Rule> table = bench::guidelines_of(text, options.table.string(), catalogue);
  for (bench::Rule& rule : table) choose_comparisons(rule, options);
  std::erase_if(table, [](const bench::Rule& rule) { return rule.comparisons.empty() && rule.operations.empty(); });
  if (table.empty())
    throw Error("--only", "names no guideline", "plumbline bench guidelines --list has them", ExitCode::kWrongUse);
  return table;
}

bench::RulesCampaign guidelines_campaign(const BenchGuidelinesOptions& options,
                                         const std::vector<std::string>& installed, std::uint32_t cores) {
  if (options.quick && options.full)
    throw Error("", "--quick and --full exclude each other", "give one of them", ExitCode::kWrongUse);
  bench::RulesCampaign campaign = bench::rules_campaign(options.quick  ? bench::RulesLevel::kQuick
                                                        : options.full ? bench::RulesLevel::kFull
                                                                       : bench::RulesLevel::kDefault);
  campaign.mpis = options.mpi.empty() || options.mpi == "both" ? installed : std::vector<std::string>{options.mpi};
  if (options.mpi == "both") campaign.mpis = {"openmpi", "mpich"};
  if (options.runs > 0) campaign.runs = options.runs;
  if (!options.sizes.empty()) campaign.blocks = blocks_of(options);
  campaign.seed = options.seed;
  campaign.launcher = options.launcher;
  campaign.hosts = options.hosts;
  campaign.nodes = options.hosts.empty() ? options.nodes : static_cast<std::uint32_t>(options.hosts.size());
  const std::uint32_t ranks = options.ranks > 0    ? options.ranks
                              : campaign.nodes > 1 ? campaign.nodes
                                                   : std::max(2U, cores);
  if (ranks < 2 || ranks % campaign.nodes != 0)
    throw Error("-n",
                fmt::format("{} ranks are not the same number on each of {} nodes, 2 at least", ranks, campaign.nodes),
                "a multiple of --nodes", ExitCode::kWrongUse);
  campaign.per_node = ranks / campaign.nodes;
  if (!options.io.empty()) campaign.directory = fs::absolute(options.io).string();
  return campaign;
}

void require_mpis(const bench::RulesCampaign& campaign, const std::vector<bench::Installed>& installed) {
  for (const std::string& mpi : campaign.mpis)
    if (std::ranges::find(installed, mpi, &bench::Installed::flavour) == installed.end())
      throw Error("--mpi", fmt::format("{} is not installed, or Plumbline was built without it", mpi),
                  "name another one", ExitCode::kCannotRunHere);
}

}  // namespace plumbline::cli
