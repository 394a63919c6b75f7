// The campaign of the rules, made from their table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>

#include "bench/rules/campaign.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kPairs[] = {"round_trip", "exchange"};

bool is_pair(std::string_view operation) { return std::ranges::find(kPairs, operation) != std::end(kPairs); }

// --- Layouts

struct LayoutText {
  std::uint32_t nodes = 1, per_node = 1;
  std::string more = {};  // further lines
  std::set<std::string> only = {};
};

void write(const LayoutText& layout, const RulesCampaign& options, std::string& text) {
  if (layout.only.empty()) return;
  text += fmt::format("\n[[layout]]\nnodes = {}\nper_node = {}\n{}", layout.nodes, layout.per_node, layout.more);
  if (options.hosts.size() >= layout.nodes) {
    std::vector<std::string> hosts;
    for (std::uint32_t i = 0; i < layout.nodes; ++i) hosts.push_back(toml_string(options.hosts[i]));
    text += fmt::format("hosts = [{}]\n", fmt::join(hosts, ", "));
  }
  std::vector<std::string> only;
  for (const std::string& operation : layout.only) only.push_back(toml_string(operation));
  text += fmt::format("only = [{}]\n", fmt::join(only, ", "));
  if (!options.launcher.empty()) text += fmt::format("launcher = {}\n", toml_string(options.launcher));
}

// Of one node, pairs are of its ranks. Of several nodes, pairs of one node have a layout of their own, because a
// launcher may deal ranks out to the nodes in turn; and pairs of different nodes another, in which none shares its
// node.
std::vector<LayoutText> layouts_of(const std::vector<RuleCell>& cells, const RulesCampaign& options) {
  const bool alone = options.nodes == 1;
  const std::uint32_t inside = alone ? options.per_node : 2;
  LayoutText all{options.nodes, options.per_node}, pairs{1, 2}, loopback{1, 2, "loopback = true\n"},
      threads{1, inside, "threads = \"multiple\"\n"}, network{options.nodes, 1};
  for (const RuleCell& cell : cells) {
    if (cell.place == Place::kThroughLoopback)
      loopback.only.insert(cell.operation);
    else if (cell.place == Place::kBetweenNodes)
      network.only.insert(cell.operation);
    else if (cell.settings.contains(kThreads))
      threads.only.insert(cell.operation);
    else
      (is_pair(cell.operation) && !alone ? pairs : all).only.insert(cell.operation);
  }
  std::vector<LayoutText> layouts{all, loopback, threads};
  if (!alone) {
    pairs.only.insert(threads.only.begin(), threads.only.end());
    layouts = {all, pairs, loopback, threads, network};
  }
  for (const RuleVariant& variant : options.variants) {
    std::vector<std::string> environment;
    for (const std::string& each : variant.environment) environment.push_back(toml_string(each));
    layouts.push_back(
        {options.nodes, options.per_node,
         fmt::format("variant = {}\nenvironment = [{}]\n", toml_string(variant.name), fmt::join(environment, ", ")),
         variant.operations});
  }
  return layouts;
}

// --- Measures

// Numbers are written without quotes.
std::string as_value(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? text : toml_string(text);
}

std::string parameters_of(const RuleCell& cell, const RulesCampaign& options) {
  std::string text;
  for (const auto& [name, value] : cell.settings)
    if (name != kThreads && name != kVariant && name != kPhase) text += fmt::format("{} = {}\n", name, as_value(value));
  if (is_of_files(cell.operation))
    // What is read is written before, for all repetitions that there may be: through a network few are enough.
    text += fmt::format("directory = {}\nleast = 10\nmost = {}\n", toml_string(options.directory),
                        options.nodes > 1 ? 12 : 100);
  return text;
}

// What has none is at 0 bytes alone.
std::string sizes_text(const std::set<std::uint64_t>& sizes) {
  return sizes == std::set<std::uint64_t>{0} ? "" : fmt::format("sizes = [{}]\n", fmt::join(sizes, ", "));
}

void write_measures(const std::vector<RuleCell>& cells, const RulesCampaign& options, std::string& text) {
  // By operation and parameters all sizes; then operations of the same sizes and parameters together.
  std::map<std::pair<std::string, std::string>, std::set<std::uint64_t>> sizes;
  for (const RuleCell& cell : cells)
    sizes[{toml_string(cell.operation), parameters_of(cell, options)}].insert(cell.bytes);
  std::map<std::pair<std::string, std::set<std::uint64_t>>, std::vector<std::string>> measures;
  for (const auto& [what, of_it] : sizes) measures[{what.second, of_it}].push_back(what.first);
  for (const auto& [how, operations] : measures)
    text += fmt::format("\n[[measure]]\noperation = [{}]\n{}{}", fmt::join(operations, ", "), sizes_text(how.second),
                        how.first);
}

// --- What the table asks for

// Adds what comparisons and guidelines of sizes ask for.
class Asked {
 public:
  Asked(const RulesCampaign& options, const Catalogue* catalogue) : options_(options), catalogue_(catalogue) {}

  void add(const Term& term) {
    const bool of_files = is_of_files(term.operation);
    if (of_files && options_.directory.empty()) return;
    if (term.place == Place::kBetweenNodes && options_.nodes == 1) return;
    RuleCell cell{term.operation, settings_of_text(term.settings), term.place, 0};
    if (term.size == Term::Size::kNone) {
      cells.push_back(std::move(cell));
      return;
    }
    if (takes_fresh_data(term.operation)) cell.settings.try_emplace(kFreshData, fmt::format("{}", options_.fresh_mib));
    const std::uint64_t by = term.size == Term::Size::kWhole ? std::uint64_t{options_.nodes} * options_.per_node : 1;
    for (const std::uint64_t block : of_files ? options_.accesses : blocks_of(options_)) {
      cell.bytes = by * block;
      cells.push_back(cell);
    }
  }

  std::vector<RuleCell> cells;

 private:
  bool takes_fresh_data(const std::string& name) const {
    if (catalogue_ == nullptr) return !is_of_files(name);
    const Operation* operation = catalogue_->find(name);
    return operation != nullptr && operation->parameter(kFreshData) != nullptr;
  }

  const RulesCampaign& options_;
  const Catalogue* catalogue_;
};

// Those that no comparison measures, in whatever form.
std::set<std::string> operations_of_sizes(std::span<const Rule> table, const std::vector<RuleCell>& measured) {
  std::set<std::string> operations;
  for (const Rule& rule : table) operations.insert(rule.operations.begin(), rule.operations.end());
  for (const RuleCell& cell : measured) operations.erase(cell.operation);
  return operations;
}

}  // namespace

RulesCampaign rules_campaign(RulesLevel level) {
  constexpr std::uint64_t kKibi = 1024, kMebi = kKibi * kKibi;
  RulesCampaign campaign;
  campaign.blocks = {8, kKibi, 16 * kKibi, 256 * kKibi};
  campaign.accesses = {64 * kKibi, 256 * kKibi};
  if (level == RulesLevel::kQuick) return campaign;
  campaign.blocks = {8, 128, kKibi, 4 * kKibi, 16 * kKibi, 64 * kKibi, 256 * kKibi, kMebi};
  campaign.accesses = {16 * kKibi, 64 * kKibi, 256 * kKibi, kMebi};
  campaign.runs = level == RulesLevel::kDefault ? 10 : 20;
  campaign.budget_s = level == RulesLevel::kDefault ? 0.03 : 0.05;
  campaign.longest_s = level == RulesLevel::kDefault ? 0.06 : 0.25;
  return campaign;
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string campaign_text_of(const std::vector<RuleCell>& cells, const RulesCampaign& options) {
  std::string text =
      "# What rules that need no reference are judged by (docs/rules.md).\n\n[campaign]\nname = \"rules\"\n";
  if (!options.mpis.empty()) {
    std::vector<std::string> mpis;
    for (const std::string& mpi : options.mpis) mpis.push_back(toml_string(mpi));
    text += fmt::format("mpi = [{}]\n", fmt::join(mpis, ", "));
  }
  text +=
      fmt::format("runs = {}\nseed = {}\n\n[settings]\nbudget = {:.6f}\nleast = {}\nmost = 3000\nprecision = 0.02\n",
                  options.runs, options.seed, options.budget_s, options.least);
  for (const LayoutText& layout : layouts_of(cells, options)) write(layout, options, text);
  write_measures(cells, options, text);
  return text;
}

std::vector<std::uint64_t> blocks_of(const RulesCampaign& options) {
  std::vector<std::uint64_t> blocks;
  const std::uint64_t ranks = std::uint64_t{options.nodes} * options.per_node;
  double largest = static_cast<double>(options.largest_vector);
  if (options.nodes > 1 && options.link_rate > 0) largest = std::min(largest, options.link_rate * options.longest_s);
  for (const std::uint64_t block : options.blocks)
    if (blocks.empty() || static_cast<double>(block * ranks) <= largest) blocks.push_back(block);
  return blocks;
}

std::vector<std::uint64_t> left_out_blocks(const RulesCampaign& options) {
  const std::vector<std::uint64_t> measured = blocks_of(options);
  std::vector<std::uint64_t> left_out;
  std::ranges::set_difference(options.blocks, measured, std::back_inserter(left_out));
  return left_out;
}

bool is_of_files(std::string_view operation) { return operation.starts_with("file_"); }

std::vector<RuleCell> cells_of(const RulesCampaign& options, std::span<const Rule> table, const Catalogue* catalogue) {
  Asked asked(options, catalogue);
  for (const Rule& rule : table)
    for (const Comparison& comparison : rule.comparisons)
      for (const auto* side : {&comparison.fast, &comparison.slow})
        for (const Term& term : *side) asked.add(term);
  for (const std::string& operation : operations_of_sizes(table, asked.cells)) asked.add({operation});
  return std::move(asked.cells);
}

std::string campaign_text(const RulesCampaign& options, std::span<const Rule> table) {
  return campaign_text_of(cells_of(options, table), options);
}

}  // namespace plumbline::bench
