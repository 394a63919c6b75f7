#include "cli/verbs/bench/guidelines_campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "bench/campaign/sizes.hpp"
#include "bench/rules/campaign.hpp"

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

void require_names(const std::vector<bench::Rule>& table, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    const bool names_some = std::ranges::any_of(table, [&](const bench::Rule& rule) {
      return fits(rule.id, pattern) || fits(rule.group, pattern) ||
             std::ranges::any_of(rule.comparisons, [&](const auto& each) { return fits(each.name, pattern); });
    });
    if (!names_some)
      throw Error("--only", fmt::format("'{}' names no guideline", pattern),
                  "plumbline bench guidelines --list has them", ExitCode::kWrongUse);
  }
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
  require_names(table, options.only);
  for (bench::Rule& rule : table) choose_comparisons(rule, options);
  std::erase_if(table, [](const bench::Rule& rule) { return rule.comparisons.empty() && rule.operations.empty(); });
  if (table.empty())
    throw Error("--only", "names no guideline that --quick has", "plumbline bench guidelines --list has them",
                ExitCode::kWrongUse);
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
  if (!options.sizes.empty()) {
    campaign.blocks = blocks_of(options);
    campaign.largest_vector = std::numeric_limits<std::uint64_t>::max();  // whoever asks for a size gets it
  }
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

Error nothing_to_measure(const bench::RulesCampaign& campaign, const std::vector<bench::Rule>& table) {
  bool of_files = false, between_nodes = false;
  for (const bench::Rule& rule : table) {
    for (const std::string& operation : rule.operations) of_files = of_files || bench::is_of_files(operation);
    for (const bench::Comparison& comparison : rule.comparisons)
      for (const auto* side : {&comparison.fast, &comparison.slow})
        for (const bench::Term& term : *side) {
          of_files = of_files || bench::is_of_files(term.operation);
          between_nodes = between_nodes || term.place == bench::Place::kBetweenNodes;
        }
  }
  std::vector<std::string> hints;
  if (of_files && campaign.directory.empty()) hints.emplace_back("--io DIR for those on files");
  if (between_nodes && campaign.nodes == 1) hints.emplace_back("--nodes 2 for those between nodes");
  return {"--only", "these guidelines have nothing to measure here", fmt::format("{}", fmt::join(hints, "; ")),
          ExitCode::kWrongUse};
}

void require_mpis(const bench::RulesCampaign& campaign, const std::vector<bench::Installed>& installed) {
  for (const std::string& mpi : campaign.mpis)
    if (std::ranges::find(installed, mpi, &bench::Installed::flavour) == installed.end())
      throw Error("--mpi", fmt::format("{} is not installed, or Plumbline was built without it", mpi),
                  "name another one", ExitCode::kCannotRunHere);
}

}  // namespace plumbline::cli
