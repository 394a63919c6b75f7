#include "cli/workflows/validate/settings/short_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string_view>

namespace plumbline::cli::validate {
namespace {

constexpr std::array<std::string_view, 5> kHowOften{"repetitions", "calls", "steps", "sweeps", "files"};

// What the cell was asked for, by name.
std::map<std::string, std::string> parameters_of(const std::string& cell) {
  std::map<std::string, std::string> given;
  const std::size_t colon = cell.find(':');
  std::istringstream words(colon == std::string::npos ? "" : cell.substr(colon + 1));
  for (std::string word; std::getline(words, word, ',');)
    given[word.substr(0, word.find('='))] = word.substr(std::min(word.find('='), word.size() - 1) + 1);
  return given;
}

}  // namespace

std::string short_cell(const std::string& cell, const bench::CellKinds& kinds, std::int64_t divisor) {
  const std::string name = cell.substr(0, cell.find(':'));
  const auto kind = std::ranges::find(kinds, name, &bench::CellKind::name);
  if (kind == kinds.end()) return cell;
  std::map<std::string, std::string> given = parameters_of(cell);
  for (const bench::CellParameter& parameter : kind->parameters) {
    if (std::ranges::count(kHowOften, parameter.name) == 0) continue;
    const auto asked = given.find(parameter.name);
    const std::int64_t often =
        asked == given.end() ? parameter.by_default : std::strtoll(asked->second.c_str(), nullptr, 10);
    given[parameter.name] = fmt::format("{}", std::max({often / divisor, parameter.least, std::int64_t{1}}));
  }
  std::string text = name;
  char separator = ':';
  for (const auto& [key, value] : given) {
    text += fmt::format("{}{}={}", separator, key, value);
    separator = ',';
  }
  return text;
}

std::vector<std::string> short_cells(const bench::Suite& suite, const bench::CellKinds& kinds) {
  std::vector<std::string> cells;
  for (const bench::SuiteEntry& entry : suite.entries)
    for (const std::string& cell : entry.cells) cells.push_back(short_cell(cell, kinds));
  return cells;
}

}  // namespace plumbline::cli::validate
