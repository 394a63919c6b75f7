// Lists of parameters that comparisons are made for.

#include <fmt/format.h>

#include <algorithm>

#include "base/text/nearest.hpp"
#include "bench/rules/table/reader.hpp"

namespace plumbline::bench {
namespace {

constexpr std::size_t kMostForms = 1000;

// Every combination of the values of one table.
void add_forms(Section& section, std::vector<std::string>& to) {
  std::vector<std::string> forms{""};
  for (const auto& [name, values] : section.others()) {
    std::vector<std::string> longer;
    for (const std::string& form : forms)
      for (const Value& value : values)
        if (longer.size() <= kMostForms)
          longer.push_back(fmt::format("{}{}{}={}", form, form.empty() ? "" : " ", name, value.text));
    if (std::ranges::any_of(values, [](const Value& value) {
          return value.text.empty() || value.text.find_first_of(" \t\n=") != std::string::npos;
        }))
      section.fault(section.where(name.c_str()), fmt::format("'{}' has blanks or '=' in a value", name));
    forms = std::move(longer);
  }
  if (forms.size() > kMostForms)
    section.fault(section.where(), fmt::format("these are more than {} forms", kMostForms), "give fewer values");
  else
    to.insert(to.end(), forms.begin(), forms.end());
}

void read_forms(const toml::node& node, const std::string& file, Section& section, Diagnostics& faults,
                std::vector<std::string>& to) {
  const toml::array* list = node.as_array();
  if (list == nullptr || list->empty() ||
      !std::ranges::all_of(*list, [](const auto& each) { return each.is_table(); })) {
    section.fault(section.where(node), "forms are a list of tables of parameters",
                  "[{topology = [\"moore\", \"von_neumann\"], dimensions = 2}]");
    return;
  }
  for (const toml::node& each : *list) {
    Section form(*each.as_table(), file, faults);
    add_forms(form, to);
  }
}

}  // namespace

Forms read_all_forms(Section& root, const std::string& file, Diagnostics& faults) {
  Forms forms;
  const toml::node* node = root.take("forms");
  if (node == nullptr) return forms;
  if (!node->is_table()) {
    root.fault(root.where(*node), "'forms' is a table of lists", "[forms] and name = [{topology = \"moore\"}]");
    return forms;
  }
  for (const auto& [name, value] : *node->as_table())
    read_forms(value, file, root, faults, forms[std::string(name.str())]);
  return forms;
}

std::vector<std::string> forms_over(Section& section, TableReader& reader) {
  std::vector<std::string> forms;
  const toml::node* node = section.take("over");
  if (node == nullptr) return {""};
  const auto name = node->value_exact<std::string>();
  if (!name) {
    read_forms(*node, reader.file, section, reader.faults, forms);
    return forms;
  }
  if (const auto found = reader.forms.find(*name); found != reader.forms.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [each, of_it] : reader.forms) known.push_back(each);
  reader.fault(section, section.where(*node), fmt::format("there are no forms '{}'", *name),
               did_you_mean_one_of(*name, known));
  return forms;
}

}  // namespace plumbline::bench
