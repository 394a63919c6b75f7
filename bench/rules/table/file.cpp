// Guidelines of a table: parse_guidelines() of bench/rules/table/table.hpp.

#include <fmt/format.h>

#include <algorithm>

#include "bench/rules/table/reader.hpp"

namespace plumbline::bench {
namespace {

std::vector<const toml::table*> tables_in(Section& section, const char* key) {
  std::vector<const toml::table*> tables;
  const toml::node* node = section.take(key);
  if (node == nullptr) return tables;
  const toml::array* list = node->as_array();
  const bool fits =
      list != nullptr && std::ranges::all_of(*list, [](const toml::node& each) { return each.is_table(); });
  if (!fits) {
    section.fault(section.where(*node), fmt::format("'{}' is a table or a list of tables", key),
                  fmt::format("[[guideline]] and [[guideline.compare]], as the built-in table has them"));
    return tables;
  }
  for (const toml::node& each : *list) tables.push_back(each.as_table());
  return tables;
}

Rule::Kind kind_of(Section& section) {
  static const std::vector<std::string> kKinds{"pattern", "monotony", "split"};
  std::string kind = kKinds.front();
  section.one_of("kind", kKinds, kind);
  return static_cast<Rule::Kind>(std::ranges::find(kKinds, kind) - kKinds.begin());
}

void check_id(Section& section, const std::string& id, const std::vector<Rule>& rules, TableReader& reader) {
  const bool named =
      !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") == std::string::npos;
  if (!named)
    reader.fault(section, section.where("id"), id.empty() ? "a guideline has no 'id'" : "an id is of small letters",
                 "id = \"my.gather.bcast\"");
  else if (std::ranges::find(rules, id, &Rule::id) != rules.end())
    reader.fault(section, section.where("id"), fmt::format("there are two guidelines '{}'", id));
}

Rule read_guideline(Section& section, const std::vector<Rule>& before, TableReader& reader) {
  Rule rule;
  rule.group = "own guidelines";
  section.text("id", rule.id);
  section.text("text", rule.text);
  section.text("group", rule.group);
  rule.in_validation = false;
  section.flag("validate", rule.in_validation);
  rule.kind = kind_of(section);
  section.texts("operations", rule.operations);
  check_id(section, rule.id, before, reader);
  if (rule.text.empty()) rule.text = rule.id;
  const bool own = section.has("fast") || section.has("slow");
  for (const toml::table* table : tables_in(section, "compare")) {
    Section comparison(*table, reader.file, reader.faults);
    read_comparison(comparison, rule.text, reader, rule.comparisons);
    comparison.finish();
  }
  if (own) read_comparison(section, rule.text, reader, rule.comparisons);
  const bool pattern = rule.kind == Rule::Kind::kPattern;
  if (pattern && !own && !section.has("compare"))
    reader.fault(section, section.where(), fmt::format("guideline '{}' compares nothing", rule.id),
                 "fast = \"gather(b)\" and slow = \"allgather(b)\", or [[guideline.compare]] with these");
  if (!pattern && (own || section.has("compare")))
    reader.fault(section, section.where(), fmt::format("guideline '{}' is of sizes, and compares", rule.id),
                 "leave out 'kind', or the comparisons");
  if (pattern == section.has("operations"))
    reader.fault(section, section.where(),
                 pattern ? "'operations' are for kind = \"monotony\" and \"split\"" : "of which 'operations'?",
                 "operations = [\"bcast\"]");
  section.finish();
  return rule;
}

toml::table parsed(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}:{}", file, error.source().begin.line, error.source().begin.column),
                std::string(error.description()), "docs/how-to/guidelines.md has the form");
  }
}

}  // namespace

void TableReader::fault(Section& section, const std::string& where, const std::string& what, const std::string& hint) {
  if (told.insert(where + what).second) section.fault(where, what, hint);
}

GuidelineTable parse_guidelines(const std::string& text, const std::string& file, const Forms& forms,
                                const Catalogue* catalogue) {
  const toml::table table = parsed(text, file);
  Diagnostics faults;
  Section root(table, file, faults);
  GuidelineTable result;
  root.flag("built_in", result.built_in);
  result.forms = read_all_forms(root, file, faults);
  result.forms.insert(forms.begin(), forms.end());
  TableReader reader{file, result.forms, faults};
  for (const toml::table* each : tables_in(root, "guideline")) {
    Section section(*each, file, faults);
    result.rules.push_back(read_guideline(section, result.rules, reader));
    if (catalogue != nullptr) check_operations(result.rules.back(), section.where(), *catalogue, faults);
  }
  if (!root.has("guideline"))
    root.fault(file, "has no guideline",
               "[[guideline]] id = \"my.gather.bcast\" fast = \"gather(b)\" slow = \"bcast(p*b)\"");
  root.finish();
  if (catalogue != nullptr) check_terms(reader.terms, *catalogue, faults);
  faults.throw_if_any();
  return result;
}

}  // namespace plumbline::bench
