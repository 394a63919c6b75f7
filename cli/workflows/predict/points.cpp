#include "cli/workflows/predict/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.hpp"

namespace plumbline::cli::predict {
namespace {

constexpr std::size_t kMostPoints = 10'000;
constexpr std::uint32_t kMostRanks = 1U << 20;

[[noreturn]] void refuse_ranks(std::string_view text) {
  throw Error("-n", fmt::format("'{}' are no numbers of processes", text),
              fmt::format("for example 8, 2..64, 2..54*3 or 2,6,12; 1 to {}", kMostRanks), ExitCode::kWrongUse);
}

std::optional<std::uint32_t> number_of(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0 || value > kMostRanks) return std::nullopt;
  return value;
}

// At commas outside of brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    parts.push_back(list.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

std::vector<std::uint32_t> range_of(std::string_view text, std::size_t dots) {
  const std::size_t star = text.find('*', dots);
  const auto first = number_of(text.substr(0, dots));
  const auto last = number_of(text.substr(dots + 2, star == text.npos ? star : star - dots - 2));
  const auto factor = star == text.npos ? std::optional<std::uint32_t>(2) : number_of(text.substr(star + 1));
  if (!first || !last || !factor || *factor < 2 || *first > *last) refuse_ranks(text);
  std::vector<std::uint32_t> values;
  for (std::uint64_t value = *first; value <= *last; value *= *factor)
    values.push_back(static_cast<std::uint32_t>(value));
  return values;
}

struct Given {
  std::string name;
  std::vector<std::string> values;
};

Given given_of(const hw::Setting& setting) {
  Given given{setting.name, {}};
  for (const std::string_view value : parts_of(setting.value)) {
    if (value.empty())
      throw Error("--set", fmt::format("{}={} has an empty value", setting.name, setting.value),
                  "for example --set xsize=128,256", ExitCode::kWrongUse);
    given.values.emplace_back(value);
  }
  return given;
}

bool is_of_platform(std::string_view name) { return name.find('.') != name.npos || name == "library"; }

// Every combination of values, the last name's running fastest.
std::vector<std::vector<replay::model::Setting>> combinations_of(const std::vector<Given>& given) {
  std::vector<std::vector<replay::model::Setting>> all{{}};
  for (const Given& one : given) {
    std::vector<std::vector<replay::model::Setting>> longer;
    if (all.size() * one.values.size() > kMostPoints)
      throw Error("--set", fmt::format("these are more than {} combinations", kMostPoints), "", ExitCode::kWrongUse);
    for (const auto& before : all)
      for (const std::string& value : one.values) {
        longer.push_back(before);
        longer.back().push_back({one.name, value});
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::string swept_text(const Sweeps& sweeps, const Point& point) {
  std::string text;
  for (const std::string& name : sweeps.swept)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        std::ranges::find(point.settings, name, &replay::model::Setting::name)->value);
  return text;
}

std::vector<std::uint32_t> ranks_of(std::string_view text) {
  std::vector<std::uint32_t> ranks;
  for (const std::string_view part : parts_of(text)) {
    if (const std::size_t dots = part.find(".."); dots != part.npos) {
      const std::vector<std::uint32_t> range = range_of(part, dots);
      ranks.insert(ranks.end(), range.begin(), range.end());
      continue;
    }
    const auto number = number_of(part);
    if (!number) refuse_ranks(text);
    ranks.push_back(*number);
  }
  std::ranges::sort(ranks);
  const auto repeated = std::ranges::unique(ranks);
  ranks.erase(repeated.begin(), repeated.end());
  return ranks;
}

Sweeps sweeps_of(std::string_view ranks, const std::vector<std::string>& settings) {
  Sweeps sweeps;
  std::vector<Given> given;
  for (const std::string& text : settings) {
    const hw::Setting setting = hw::parse_setting(text);
    if (is_of_platform(setting.name)) {
      sweeps.platform.push_back(setting);
      continue;
    }
    if (std::ranges::find(sweeps.constants, setting.name) != sweeps.constants.end())
      throw Error("--set", fmt::format("'{}' is given twice", setting.name), "write all values behind one name",
                  ExitCode::kWrongUse);
    given.push_back(given_of(setting));
    sweeps.constants.push_back(setting.name);
    if (given.back().values.size() > 1) sweeps.swept.push_back(setting.name);
  }
  const std::vector<std::uint32_t> numbers = ranks_of(ranks);
  for (const auto& combination : combinations_of(given))
    for (const std::uint32_t number : numbers) sweeps.points.push_back({number, combination});
  if (sweeps.points.size() > kMostPoints)
    throw Error("-n", fmt::format("these are more than {} points", kMostPoints), "", ExitCode::kWrongUse);
  return sweeps;
}

}  // namespace plumbline::cli::predict
