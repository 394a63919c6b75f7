// Comparisons of a table: their sides, for each operation and form that they are made for.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "bench/campaign/sizes.hpp"
#include "bench/rules/series.hpp"
#include "bench/rules/table/reader.hpp"
#include "bench/rules/table/term_text.hpp"

namespace plumbline::bench {
namespace {

constexpr std::size_t kMostComparisons = 20'000;
constexpr std::string_view kEach = "{each}";

std::string replaced(std::string text, const std::string& each) {
  for (std::size_t at = text.find(kEach); at != std::string::npos; at = text.find(kEach, at + each.size()))
    text.replace(at, kEach.size(), each);
  return text;
}

// Terms of one side as texts with their places in the file.
struct SideText {
  std::vector<std::pair<std::string, std::string>> terms;  // where, text
};

SideText side_text_of(Section& section, const char* key, TableReader& reader) {
  SideText side;
  const toml::node* node = section.take(key);
  if (node == nullptr) {
    reader.fault(section, section.where(), fmt::format("a comparison has no '{}'", key),
                 fmt::format("{} = \"allgather(b)\", or a list of terms", key));
    return side;
  }
  const auto add = [&](const toml::node& each) {
    if (const auto text = each.value_exact<std::string>())
      side.terms.emplace_back(section.where(each), *text);
    else
      reader.fault(section, section.where(each), fmt::format("'{}' is a term or a list of terms", key),
                   "put each in quotes");
  };
  if (const toml::array* list = node->as_array())
    for (const toml::node& each : *list) add(each);
  else
    add(*node);
  if (const toml::array* list = node->as_array(); list != nullptr && list->empty())
    reader.fault(section, section.where(*node), fmt::format("'{}' is an empty list", key), "name an operation");
  return side;
}

// Parameters of the form, where the term does not say others itself.
void add_form(Term& term, const std::string& form) {
  const auto own = settings_of_text(term.settings);
  std::string settings = term.settings;
  for (const auto& [name, value] : settings_of_text(form))
    if (!own.contains(name)) settings += fmt::format("{}{}={}", settings.empty() ? "" : " ", name, value);
  term.settings = settings;
}

std::vector<PlacedTerm> terms_of(Section& section, const SideText& side, const std::string& each,
                                 const std::string& form, TableReader& reader) {
  std::vector<PlacedTerm> terms;
  for (const auto& [where, text] : side.terms) {
    std::string fault;
    if (std::optional<Term> term = term_of(replaced(text, each), fault)) {
      add_form(*term, form);
      terms.push_back({std::move(*term), where, form});
    } else {
      reader.fault(section, where, fault);
    }
  }
  return terms;
}

void read_block(Section& section, const char* key, std::uint64_t& into, TableReader& reader) {
  const toml::node* node = section.take(key);
  if (node == nullptr) return;
  try {
    if (const auto number = node->value_exact<std::int64_t>()) {
      into = parse_size(fmt::format("{}", *number));
    } else if (const auto text = node->value_exact<std::string>()) {
      into = parse_size(*text);
    } else {
      reader.fault(section, section.where(*node), fmt::format("'{}' is a number of bytes, or \"64KiB\"", key));
    }
  } catch (const Error& error) {
    reader.fault(section, section.where(*node), error.problems()[0].what, error.problems()[0].hint);
  }
}

void read_allowed(Section& section, double& into, TableReader& reader) {
  const toml::node* node = section.take("allowed");
  if (node == nullptr) return;
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (value && *value > 0 && *value <= 1e6)
    into = *value;
  else
    reader.fault(section, section.where(*node), "'allowed' is a ratio above 0, at most a million", "1.5");
}

std::vector<Term> plain(const std::vector<PlacedTerm>& placed) {
  std::vector<Term> terms;
  for (const PlacedTerm& each : placed) terms.push_back(each.term);
  return terms;
}

void require_sizes_on_both_sides(Section& section, const std::vector<PlacedTerm>& fast,
                                 const std::vector<PlacedTerm>& slow, TableReader& reader) {
  const bool has_size = fast.front().term.size != Term::Size::kNone;
  for (const auto* side : {&fast, &slow})
    for (const PlacedTerm& each : *side)
      if ((each.term.size != Term::Size::kNone) != has_size)
        reader.fault(section, each.where, "some terms of the comparison have a size and some have none",
                     "(b) or (p*b) behind each of them, or behind none");
}

}  // namespace

void read_comparison(Section& section, const std::string& text_of_rule, TableReader& reader,
                     std::vector<Comparison>& to) {
  Comparison common;
  common.text = text_of_rule;
  section.text("text", common.text);
  section.text("name", common.name);
  read_allowed(section, common.allowed, reader);
  read_block(section, "least_block", common.least_block, reader);
  read_block(section, "most_block", common.most_block, reader);
  bool equal = false;
  section.flag("equal", equal);
  std::vector<std::string> each_of{""};
  section.texts("each", each_of);
  const std::vector<std::string> forms = forms_over(section, reader);
  const SideText fast_text = side_text_of(section, "fast", reader), slow_text = side_text_of(section, "slow", reader);
  if (each_of.size() * forms.size() > kMostComparisons || to.size() > kMostComparisons) {
    reader.fault(section, section.where(), fmt::format("these are more than {} comparisons", kMostComparisons));
    return;
  }
  for (const std::string& each : each_of)
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const std::vector<PlacedTerm> fast = terms_of(section, fast_text, each, forms[i], reader),
                                    slow = terms_of(section, slow_text, each, forms[i], reader);
      reader.terms.insert(reader.terms.end(), fast.begin(), fast.end());
      reader.terms.insert(reader.terms.end(), slow.begin(), slow.end());
      if (fast.empty() || slow.empty()) continue;
      require_sizes_on_both_sides(section, fast, slow, reader);
      Comparison& made = to.emplace_back(common);
      made.text = replaced(common.text, each);
      made.fast = plain(fast);
      made.slow = plain(slow);
      made.form = forms[i];
      made.is_first_form = i == 0;
      if (!equal) continue;
      Comparison other_way = made;
      std::swap(other_way.fast, other_way.slow);
      other_way.text += ", the other way round";
      to.push_back(std::move(other_way));
    }
}

}  // namespace plumbline::bench
