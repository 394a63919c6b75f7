#include "cli/verbs/replay/outcome_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/quantity.hpp"
#include "base/text/text_table.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

// "+12.3 %"; "as it is" when nothing changed.
std::string change(Duration length, Duration unchanged) {
  if (length == unchanged) return "as it is";
  if (unchanged.ps == 0) return "";
  const double share = static_cast<double>((length - unchanged).ps) / static_cast<double>(unchanged.ps);
  return fmt::format("{:+.1f} %", 100 * share);
}

std::vector<std::vector<std::string>> rows_of(const expect::Outcomes& outcomes) {
  std::vector<std::vector<std::string>> rows;
  Duration shortest = outcomes.unchanged;
  for (const expect::Outcome& outcome : outcomes.outcomes) shortest = std::min(shortest, outcome.length);
  std::vector<std::string>& head = rows.emplace_back();
  for (const hw::Setting& setting : outcomes.outcomes.front().settings) head.push_back(setting.name);
  head.insert(head.end(), {"expected", "change", ""});
  const auto add = [&](const std::vector<hw::Setting>& settings, Duration length) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const hw::Setting& setting : settings) row.push_back(setting.value);
    const bool is_best = length == shortest && length < outcomes.unchanged;
    row.insert(row.end(), {format(length), change(length, outcomes.unchanged), is_best ? "shortest" : ""});
  };
  for (const expect::Outcome& outcome : outcomes.outcomes) add(outcome.settings, outcome.length);
  return rows;
}

}  // namespace

std::string outcome_table(const expect::Outcomes& outcomes) {
  std::string text = fmt::format("expected {} as it is\n", format(outcomes.unchanged));
  if (outcomes.outcomes.empty()) return text;
  return text + aligned(rows_of(outcomes));
}

std::string outcome_json(const expect::Outcomes& outcomes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const expect::Outcome& outcome : outcomes.outcomes) {
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();
    for (const hw::Setting& setting : outcome.settings) settings[setting.name] = setting.value;
    list.push_back({{"settings", settings}, {"length_ps", outcome.length.ps}});
  }
  return nlohmann::ordered_json{{"unchanged_ps", outcomes.unchanged.ps}, {"outcomes", list}}.dump(2) + "\n";
}

}  // namespace plumbline::cli
