#include "bench/rules/table/terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "base/text/nearest.hpp"
#include "bench/rules/campaign.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kMultiple = "multiple";  // the level of threads that a campaign has a layout for

std::optional<double> number_of(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// As cells have it.
std::string canonical(const Parameter& parameter, const std::string& value) {
  if (parameter.is_word) return value;
  const std::optional<double> number = number_of(value);
  return number ? fmt::format("{}", *number) : value;
}

class Check {
 public:
  Check(const Catalogue& catalogue, Diagnostics& faults) : catalogue_(catalogue), faults_(faults) {}

  void operator()(const PlacedTerm& placed) {
    const Operation* operation = catalogue_.find(placed.term.operation);
    if (operation == nullptr) {
      unknown(placed.where, placed.term.operation);
      return;
    }
    const bool has_size = placed.term.size != Term::Size::kNone;
    if (has_size && operation->bytes.empty())
      fault(placed.where, fmt::format("'{}' has no size", operation->name), fmt::format("\"{}\"", operation->name));
    if (!has_size && !operation->bytes.empty())
      fault(placed.where, fmt::format("'{}' has no size behind it", operation->name),
            fmt::format("\"{}(b)\": {}; (p*b): of all ranks", operation->name, operation->bytes));
    const RuleSettings settings = settings_of_text(placed.term.settings);
    for (const auto& [name, value] : settings) setting(placed, *operation, name, value);
    if (!operation->phases.empty() && !settings.contains(kPhase))
      fault(placed.where, fmt::format("'{}' has several times, and a term is of one of them", operation->name),
            phases_of(*operation));
  }

  void of_sizes(const std::string& name, const std::string& where) {
    const Operation* operation = catalogue_.find(name);
    if (operation == nullptr) return unknown(where, name);
    if (operation->bytes.empty())
      fault(where, fmt::format("'{}' has no size", name),
            "leave it out: there is no larger one and there are no parts");
    for (const Parameter& parameter : operation->parameters)
      if (parameter.by_default.empty() && !parameter.is_pattern() &&
          !(is_of_files(name) && parameter.name == "directory"))
        fault(
            where,
            fmt::format("'{}' needs '{}', and 'operations' are measured as they are by default", name, parameter.name),
            "leave it out");
  }

  void unknown(const std::string& where, const std::string& name) {
    fault(where, fmt::format("there is no operation '{}' to measure", name),
          did_you_mean(name, catalogue_.names(), "plumbline bench --list has them"));
  }

 private:
  static std::string phases_of(const Operation& operation) {
    return fmt::format("phase={}", fmt::join(operation.phases, ", phase="));
  }

  void setting(const PlacedTerm& placed, const Operation& operation, const std::string& name,
               const std::string& value) {
    if (name == kThreads) {
      if (value != kMultiple)
        fault(placed.where, fmt::format("threads={} is not measured", value),
              "threads=multiple; without it ranks ask for no level of threads");
      return;
    }
    if (name == kPhase && !operation.phases.empty()) {
      if (std::ranges::find(operation.phases, value) == operation.phases.end())
        fault(placed.where, fmt::format("'{}' has no phase '{}'", operation.name, value), phases_of(operation));
      return;
    }
    const Parameter* parameter = operation.parameter(name);
    if (parameter == nullptr) {
      std::vector<std::string> known;
      for (const Parameter& each : operation.parameters) known.push_back(each.name);
      fault(placed.where, fmt::format("'{}' has no parameter '{}'", operation.name, name),
            known.empty() ? "it has none" : did_you_mean_one_of(name, known));
    } else if (!parameter->is_word && !number_of(value)) {
      fault(placed.where, fmt::format("'{}' of '{}' is a number, not '{}'", name, operation.name, value), "");
    }
  }

  void fault(const std::string& where, const std::string& what, const std::string& hint) {
    if (told_.insert({where, what}).second) faults_.add(where, what, hint);
  }

  const Catalogue& catalogue_;
  Diagnostics& faults_;
  std::set<std::pair<std::string, std::string>> told_;
};

template <class Do>
void for_each_term(std::vector<Rule>& rules, Do each) {
  for (Rule& rule : rules)
    for (Comparison& comparison : rule.comparisons)
      for (auto* side : {&comparison.fast, &comparison.slow})
        for (Term& term : *side) each(term);
}

}  // namespace

void check_terms(const std::vector<PlacedTerm>& terms, const Catalogue& catalogue, Diagnostics& faults) {
  Check check(catalogue, faults);
  for (const PlacedTerm& term : terms) check(term);
}

void check_operations(const Rule& rule, const std::string& where, const Catalogue& catalogue, Diagnostics& faults) {
  Check check(catalogue, faults);
  for (const std::string& name : rule.operations) check.of_sizes(name, where);
}

void complete_terms(std::vector<Rule>& rules, const Catalogue& catalogue) {
  const std::string fresh = fmt::format("{}", RulesCampaign{}.fresh_mib);
  std::map<std::string, std::set<std::string>> given;
  for_each_term(rules, [&](Term& term) {
    for (const auto& [name, value] : settings_of_text(term.settings))
      if (name != kThreads && name != kPhase) given[term.operation].insert(name);
  });
  for_each_term(rules, [&](Term& term) {
    RuleSettings settings = settings_of_text(term.settings);
    const Operation* operation = catalogue.find(term.operation);
    std::string text;
    for (const std::string& name : given[term.operation])
      if (const Parameter* parameter = operation->parameter(name); parameter != nullptr && !parameter->is_pattern())
        settings.try_emplace(name, name == kFreshData ? fresh : parameter->by_default);
    for (const auto& [name, value] : settings) {
      const Parameter* parameter = operation->parameter(name);
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                          parameter == nullptr ? value : canonical(*parameter, value));
    }
    term.settings = text;
  });
}

}  // namespace plumbline::bench
