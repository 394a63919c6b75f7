#include "bench/suite/cell_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "base/text/nearest.hpp"

namespace plumbline::bench {
namespace {

// "4096", "64KiB", "4MiB", as the program of the suite reads it.
std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t unit = 1;
  if (text.ends_with("KiB") || text.ends_with("MiB")) {
    unit = text.ends_with("KiB") ? 1 << 10 : 1 << 20;
    text.remove_suffix(3);
  }
  constexpr std::size_t kMostDigits = 12;
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || text.size() > kMostDigits || value < 0)
    return std::nullopt;
  return value * unit;
}

struct Asked {
  Section& section;  // that is told of faults
  const std::string& where;
  const CellKind& kind;
  std::map<std::string, std::int64_t> values;
};

// "side=512"
void read_parameter(Asked& cell, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string name(text.substr(0, equals)), &of = cell.kind.name;
  const auto parameter = std::ranges::find(cell.kind.parameters, name, &CellParameter::name);
  if (parameter == cell.kind.parameters.end()) {
    std::vector<std::string> known;
    for (const CellParameter& each : cell.kind.parameters) known.push_back(each.name);
    cell.section.fault(cell.where, fmt::format("{} has no parameter '{}'", of, name), did_you_mean_one_of(name, known));
    return;
  }
  const auto value = equals == std::string_view::npos ? std::nullopt : number_of(text.substr(equals + 1));
  if (!value)
    cell.section.fault(cell.where, fmt::format("'{}' of {} has no number", name, of),
                       fmt::format("write {}={}, or with KiB or MiB", name, parameter->by_default));
  else if (*value < parameter->least || *value > parameter->most)
    cell.section.fault(cell.where, fmt::format("'{}' of {} is from {} to {}, not {}", name, of, parameter->least,
                                               parameter->most, *value));
  else
    cell.values[name] = *value;
}

void check_pieces(Asked& cell) {
  const auto bytes = cell.values.find("bytes"), piece = cell.values.find("piece");
  if (bytes != cell.values.end() && piece != cell.values.end() && bytes->second % piece->second != 0)
    cell.section.fault(cell.where, fmt::format("{} bytes are not whole pieces of {}", bytes->second, piece->second),
                       "'bytes' is a multiple of 'piece'");
}

}  // namespace

void check_cell(Section& section, const std::string& where, std::string_view text, const CellKinds& kinds) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name(text.substr(0, colon));
  const auto found = std::ranges::find(kinds, name, &CellKind::name);
  if (found == kinds.end()) {
    std::vector<std::string> known;
    for (const CellKind& kind : kinds) known.push_back(kind.name);
    section.fault(where, fmt::format("there is no cell '{}'", name), did_you_mean_one_of(name, known));
    return;
  }
  Asked cell{section, where, *found, {}};
  for (const CellParameter& parameter : found->parameters) cell.values[parameter.name] = parameter.by_default;
  for (std::size_t begin = colon + 1; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    read_parameter(cell, text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  check_pieces(cell);
}

}  // namespace plumbline::bench
