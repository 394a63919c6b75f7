// Which rules there are. They are in guidelines.toml; sizes by what the "bytes" of each operation are
// (docs/reference/operations.md).

#include "bench/rules/table/table.hpp"

#include <algorithm>
#include <iterator>

#include "bench/rules/built_in_guidelines.hpp"
#include "bench/rules/table/terms.hpp"

namespace plumbline::bench {
namespace {

constexpr char kBuiltInName[] = "guidelines.toml";

// Of each rule of a validation the comparisons that it makes.
std::vector<Rule> rules_of_validation() {
  std::vector<Rule> rules;
  for (Rule& rule : parse_guidelines(kBuiltInGuidelines, kBuiltInName).rules) {
    if (!rule.in_validation) continue;
    std::erase_if(rule.comparisons, [](const Comparison& comparison) { return !comparison.is_first_form; });
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> all = rules_of_validation();
  return all;
}

const Rule* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules(), id, &Rule::id);
  return found == rules().end() ? nullptr : &*found;
}

const char* built_in_guidelines_text() { return kBuiltInGuidelines; }

std::vector<Rule> guidelines_of(const std::string& text, const std::string& file, const Catalogue* catalogue) {
  GuidelineTable all = parse_guidelines(kBuiltInGuidelines, kBuiltInName, {}, catalogue);
  if (!text.empty()) {
    GuidelineTable own = parse_guidelines(text, file, all.forms, catalogue);
    std::erase_if(all.rules, [&](const Rule& rule) {
      return !own.built_in || std::ranges::find(own.rules, rule.id, &Rule::id) != own.rules.end();
    });
    std::ranges::move(own.rules, std::back_inserter(all.rules));
  }
  if (catalogue != nullptr) complete_terms(all.rules, *catalogue);
  return all.rules;
}

}  // namespace plumbline::bench
