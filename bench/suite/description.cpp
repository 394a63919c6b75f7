#include "bench/suite/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/text/nearest.hpp"
#include "bench/campaign/description.hpp"
#include "bench/campaign/section.hpp"
#include "bench/suite/built_in_suites.hpp"
#include "bench/suite/cell_text.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kInNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
constexpr std::string_view kInVariables = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

toml::table suite_toml(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}:{}:{}", file, error.source().begin.line, error.source().begin.column),
                std::string(error.description()), "docs/suite.md has the form");
  }
}

void read_cells(Section& section, const CellKinds& kinds, SuiteEntry& entry) {
  section.texts("cells", entry.cells);
  const toml::node* node = section.take("cells");
  if (node == nullptr) return;
  const auto check = [&](const toml::node& each) {
    if (const auto text = each.value_exact<std::string>()) check_cell(section, section.where(each), *text, kinds);
  };
  if (const toml::array* list = node->as_array())
    for (const toml::node& each : *list) check(each);
  else
    check(*node);
}

// On the command line of the program hints stand side by side.
void check_hints(Section& section, const SuiteEntry& entry) {
  for (const auto& [name, value] : entry.hints)
    if (value.find('=', std::min(value.find(','), value.size())) != std::string::npos)
      section.fault(section.where("hints"), fmt::format("the hint '{}' has '=' behind a comma", name),
                    "give it to a program of your own");
}

// A table of texts, numbers and flags, all as texts.
void read_values(Section& section, const char* key, std::string_view in_names,
                 std::map<std::string, std::string>& into) {
  const toml::node* node = section.take(key);
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    section.fault(section.where(*node), fmt::format("'{}' is a table", key),
                  fmt::format("{} = {{ name = \"value\" }}", key));
    return;
  }
  for (const auto& [name, value] : *table) {
    const std::string_view text = name.str();
    if (text.empty() || text.find_first_not_of(in_names) != std::string_view::npos)
      section.fault(section.where(value), fmt::format("'{}' is no name in '{}'", text, key), "letters, digits and '_'");
    else if (const auto word = value.value_exact<std::string>())
      into[std::string(text)] = *word;
    else if (const auto number = value.value_exact<std::int64_t>())
      into[std::string(text)] = fmt::format("{}", *number);
    else if (const auto flag = value.value_exact<bool>())
      into[std::string(text)] = *flag ? "true" : "false";
    else
      section.fault(section.where(value), fmt::format("'{}' of '{}' is a text or a whole number", text, key));
  }
}

void read_ranks(Section& section, SuiteEntry& entry) {
  constexpr std::int64_t kMany = 1'000'000;
  const toml::node* node = section.take("ranks");
  if (node == nullptr) return;
  if (const auto word = node->value_exact<std::string>()) {
    if (*word != "all") section.fault(section.where(*node), "'ranks' is \"all\" or a whole number from 1");
  } else {
    section.whole("ranks", 1, kMany, entry.ranks);
  }
}

void read_program(Section& section, SuiteEntry& entry) {
  std::string line;
  section.text("program", line);
  if (!section.has("program")) return;
  entry.program = words_of(line);
  if (entry.program.empty() || entry.program[0].empty())
    section.fault(section.where("program"), "'program' is a command line", "\"./solver --steps 10\"");
  if (section.has("cells"))
    section.fault(section.where("program"), "an entry has either cells or a program", "make two entries of it");
  if (section.has("hints"))
    section.fault(section.where("hints"), "'hints' are of cells", "tell them to the program on its own line");
}

void read_name(Section& section, std::set<std::string>& names, SuiteEntry& entry) {
  section.text("name", entry.name);
  if (entry.name.empty() || entry.name[0] == '.' || entry.name.find_first_not_of(kInNames) != std::string::npos)
    section.fault(section.where("name"), "an entry has a name of letters, digits, '-', '_' and '.'", "name = \"halo\"");
  else if (!names.insert(entry.name).second)
    section.fault(section.where("name"), fmt::format("there are two entries '{}'", entry.name), "take another name");
}

SuiteEntry read_entry(Section& section, const CellKinds& kinds, std::set<std::string>& names) {
  SuiteEntry entry;
  read_name(section, names, entry);
  read_cells(section, kinds, entry);
  read_program(section, entry);
  read_ranks(section, entry);
  read_values(section, "hints", kInVariables, entry.hints);
  check_hints(section, entry);
  read_values(section, "environment", kInVariables, entry.environment);
  section.seconds("seconds", entry.seconds);
  if (!section.has("cells") && !section.has("program"))
    section.fault(section.where(), "an entry has cells, or a program", "cells = [\"halo\"]");
  section.finish();
  return entry;
}

}  // namespace

Suite parse_suite(const std::string& text, const std::string& file, const CellKinds& kinds) {
  const toml::table table = suite_toml(text, file);
  Diagnostics faults;
  Section root(table, file, faults);
  Suite suite{.name = fs::path(file).stem().string(), .text = text, .entries = {}};
  root.text("name", suite.name);
  std::set<std::string> names;
  const toml::node* entries = root.take("entry");
  if (const toml::array* list = entries == nullptr ? nullptr : entries->as_array()) {
    for (const toml::node& each : *list) {
      if (const toml::table* entry = each.as_table()) {
        Section section(*entry, file, faults);
        suite.entries.push_back(read_entry(section, kinds, names));
      } else {
        root.fault(root.where(each), "'entry' is a list of tables", "write [[entry]]");
      }
    }
  } else if (entries != nullptr) {
    root.fault(root.where(*entries), "'entry' is a list of tables", "write [[entry]]");
  }
  root.finish();
  if (faults.empty() && suite.entries.empty())
    root.fault(file, "nothing is to be run", "add [[entry]] with name = \"halo\" and cells = [\"halo\"]");
  faults.throw_if_any();
  return suite;
}

std::vector<std::string> built_in_suites() { return {"quick", "default", "full"}; }

std::string_view built_in_suite(std::string_view name) {
  if (name == "quick") return kQuickSuite;
  if (name == "default") return kDefaultSuite;
  if (name == "full") return kFullSuite;
  throw Error("suite", fmt::format("there is no suite '{}'", name), did_you_mean_one_of(name, built_in_suites()),
              ExitCode::kWrongUse);
}

bool uses_files(const std::string& cell, const CellKinds& kinds) {
  const auto kind = std::ranges::find(kinds, cell.substr(0, cell.find(':')), &CellKind::name);
  return kind != kinds.end() && kind->uses_files;
}

bool uses_files(const SuiteEntry& entry, const CellKinds& kinds) {
  return std::ranges::any_of(entry.cells, [&](const std::string& cell) { return uses_files(cell, kinds); });
}

std::vector<std::string> command_of(const SuiteEntry& entry, const fs::path& suite_program, const fs::path& directory) {
  if (!entry.program.empty()) return entry.program;
  std::vector<std::string> words{suite_program.string(), "--json", "--directory", directory.string()};
  std::string hints;
  for (const auto& [key, value] : entry.hints) hints += (hints.empty() ? "" : ",") + key + "=" + value;
  if (!hints.empty()) words.insert(words.end(), {"--hints", hints});
  if (entry.seconds > 0) words.insert(words.end(), {"--seconds", fmt::format("{}", entry.seconds)});
  words.insert(words.end(), entry.cells.begin(), entry.cells.end());
  return words;
}

}  // namespace plumbline::bench
