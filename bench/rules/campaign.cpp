// The campaign of the rules, made from their table.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "bench/rules/campaign.hpp"

namespace plumbline::bench {
namespace {

constexpr std::uint64_t kLargestVector = 16 << 20;  // of all blocks of a rank: what larger ones would show, these do
constexpr std::string_view kPairs[] = {"round_trip", "exchange"};

bool is_pair(std::string_view operation) { return std::ranges::find(kPairs, operation) != std::end(kPairs); }

bool is_of_files(std::string_view operation) { return operation.starts_with("file_"); }

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::vector<Term> all_terms() {
  std::vector<Term> terms;
  for (const Rule& rule : rules())
    for (const Comparison& comparison : rule.comparisons)
      for (const auto* side : {&comparison.fast, &comparison.slow})
        terms.insert(terms.end(), side->begin(), side->end());
  return terms;
}

bool asks_for_threads(const Term& term) { return settings_of_text(term.settings).contains(kThreads); }

// --- Layouts

struct LayoutText {
  std::uint32_t nodes = 1, per_node = 1;
  std::string more = {};  // further lines
  std::set<std::string_view> only = {};
};

void write(const LayoutText& layout, const RulesCampaign& options, std::string& text) {
  if (layout.only.empty()) return;
  text += fmt::format("\n[[layout]]\nnodes = {}\nper_node = {}\n{}", layout.nodes, layout.per_node, layout.more);
  if (options.hosts.size() >= layout.nodes) {
    std::vector<std::string> hosts;
    for (std::uint32_t i = 0; i < layout.nodes; ++i) hosts.push_back(quoted(options.hosts[i]));
    text += fmt::format("hosts = [{}]\n", fmt::join(hosts, ", "));
  }
  std::vector<std::string> only;
  for (const std::string_view operation : layout.only) only.push_back(quoted(operation));
  text += fmt::format("only = [{}]\n", fmt::join(only, ", "));
  if (!options.launcher.empty()) text += fmt::format("launcher = {}\n", quoted(options.launcher));
}

// Of one node, pairs are of its ranks. Of several nodes, pairs of one node have a layout of their own, because a
// launcher may deal ranks out to the nodes in turn; and pairs of different nodes another, in which none shares its
// node.
std::vector<LayoutText> layouts_of(const std::vector<Term>& terms, const RulesCampaign& options) {
  const bool alone = options.nodes == 1;
  const std::uint32_t inside = alone ? options.per_node : 2;
  LayoutText all{options.nodes, options.per_node}, pairs{1, 2}, loopback{1, 2, "loopback = true\n"},
      threads{1, inside, "threads = \"multiple\"\n"}, network{options.nodes, 1};
  for (const Term& term : terms) {
    if (is_of_files(term.operation) && options.directory.empty()) continue;
    if (term.place == Place::kThroughLoopback)
      loopback.only.insert(term.operation);
    else if (term.place == Place::kBetweenNodes)
      network.only.insert(term.operation);
    else if (asks_for_threads(term))
      threads.only.insert(term.operation);
    else
      (is_pair(term.operation) && !alone ? pairs : all).only.insert(term.operation);
  }
  if (alone) return {all, loopback, threads};
  pairs.only.insert(threads.only.begin(), threads.only.end());
  return {all, pairs, loopback, threads, network};
}

// --- Measures

std::vector<std::uint64_t> blocks_of(const RulesCampaign& options) {
  std::vector<std::uint64_t> blocks;
  const std::uint64_t ranks = std::uint64_t{options.nodes} * options.per_node;
  for (const std::uint64_t block : options.blocks)
    if (blocks.empty() || block * ranks <= kLargestVector) blocks.push_back(block);
  return blocks;
}

std::set<std::uint64_t> sizes_of(const Term& term, const RulesCampaign& options) {
  if (is_of_files(term.operation)) return {options.accesses.begin(), options.accesses.end()};
  const std::uint64_t by = term.size == Term::Size::kWhole ? std::uint64_t{options.nodes} * options.per_node : 1;
  std::set<std::uint64_t> sizes;
  for (const std::uint64_t block : blocks_of(options)) sizes.insert(block * by);
  return sizes;
}

// Numbers are written without quotes.
std::string as_value(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? text : quoted(text);
}

std::string parameters_of(const Term& term, const RulesCampaign& options) {
  std::string text;
  for (const auto& [name, value] : settings_of_text(term.settings))
    if (name != kThreads) text += fmt::format("{} = {}\n", name, as_value(value));
  if (is_of_files(term.operation))
    text += fmt::format("directory = {}\nleast = 10\nmost = 100\n", quoted(options.directory));
  return text;
}

void write_measures(const std::vector<Term>& terms, const RulesCampaign& options, std::string& text) {
  // By operation and parameters all sizes; then operations of the same sizes and parameters together.
  std::map<std::pair<std::string, std::string>, std::set<std::uint64_t>> sizes;
  for (const Term& term : terms) {
    if (is_of_files(term.operation) && options.directory.empty()) continue;
    if (term.place == Place::kBetweenNodes && options.nodes == 1) continue;
    sizes[{quoted(term.operation), parameters_of(term, options)}].merge(sizes_of(term, options));
  }
  std::map<std::pair<std::string, std::set<std::uint64_t>>, std::vector<std::string>> measures;
  for (const auto& [what, of_it] : sizes) measures[{what.second, of_it}].push_back(what.first);
  for (const auto& [how, operations] : measures)
    text += fmt::format("\n[[measure]]\noperation = [{}]\nsizes = [{}]\n{}", fmt::join(operations, ", "),
                        fmt::join(how.second, ", "), how.first);
}

}  // namespace

RulesCampaign rules_campaign(RulesLevel level) {
  constexpr std::uint64_t kKibi = 1024, kMebi = kKibi * kKibi;
  RulesCampaign campaign;
  campaign.blocks = {8, kKibi, 16 * kKibi, 256 * kKibi};
  campaign.accesses = {64 * kKibi, kMebi};
  if (level == RulesLevel::kQuick) return campaign;
  campaign.blocks = {8, 128, kKibi, 4 * kKibi, 16 * kKibi, 64 * kKibi, 256 * kKibi, kMebi};
  campaign.accesses = {16 * kKibi, 64 * kKibi, 256 * kKibi, kMebi, 4 * kMebi};
  campaign.runs = level == RulesLevel::kDefault ? 10 : 20;
  campaign.budget_s = level == RulesLevel::kDefault ? 0.03 : 0.05;
  return campaign;
}

std::string campaign_text_of(const std::vector<Term>& terms, const RulesCampaign& options) {
  std::string text =
      "# What rules that need no reference are judged by (docs/rules.md).\n\n[campaign]\nname = \"rules\"\n";
  if (!options.mpis.empty()) {
    std::vector<std::string> mpis;
    for (const std::string& mpi : options.mpis) mpis.push_back(quoted(mpi));
    text += fmt::format("mpi = [{}]\n", fmt::join(mpis, ", "));
  }
  text +=
      fmt::format("runs = {}\nseed = {}\n\n[settings]\nbudget = {:.6f}\nleast = 60\nmost = 3000\nprecision = 0.01\n",
                  options.runs, options.seed, options.budget_s);
  for (const LayoutText& layout : layouts_of(terms, options)) write(layout, options, text);
  write_measures(terms, options, text);
  return text;
}

std::string campaign_text(const RulesCampaign& options) { return campaign_text_of(all_terms(), options); }

}  // namespace plumbline::bench
