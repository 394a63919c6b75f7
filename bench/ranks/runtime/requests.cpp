#include "bench/ranks/runtime/requests.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "base/error.hpp"
#include "bench/ranks/runtime/adaptive_sizes.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kAnyName = ".NAME";
constexpr std::string_view kTimings[] = {"max", "root", "global", "acknowledged"};
constexpr std::string_view kIsolations[] = {"barrier", "two barriers", "dissemination", "window", "round time"};
constexpr std::string_view kStops[] = {"median", "Student", "count"};

bool is_pattern(const FamilyParameter& parameter) { return parameter.name.ends_with(kAnyName); }

bool fits(const FamilyParameter& parameter, std::string_view name) {
  if (!is_pattern(parameter)) return parameter.name == name;
  const std::string_view begin = parameter.name.substr(0, parameter.name.size() - kAnyName.size() + 1);
  return name.size() > begin.size() && name.starts_with(begin);
}

template <class Value>
void refuse_unknown(const Family& family, const std::map<std::string, Value>& given, bool words) {
  for (const auto& [name, value] : given) {
    const bool known = std::ranges::any_of(family.parameters, [&, &name = name](const FamilyParameter& parameter) {
      return parameter.is_word == words && fits(parameter, name);
    });
    if (known) continue;
    std::vector<std::string_view> names;
    for (const FamilyParameter& parameter : family.parameters)
      if (parameter.is_word == words) names.push_back(parameter.name);
    throw Error(std::string(family.name), fmt::format("has no {} '{}'", words ? "word" : "number", name),
                names.empty() ? "it has none" : fmt::format("it has {}", fmt::join(names, ", ")));
  }
}

void fill_in(const Family& family, const FamilyParameter& parameter, Request& request) {
  const std::string name(parameter.name);
  const bool there = parameter.is_word ? request.words.contains(name) : request.numbers.contains(name);
  if (there || is_pattern(parameter)) return;
  if (parameter.by_default.empty())
    throw Error(std::string(family.name), fmt::format("'{}' must be given", name), std::string(parameter.summary));
  if (parameter.is_word)
    request.words[name] = parameter.by_default;
  else
    request.numbers[name] = std::strtod(std::string(parameter.by_default).c_str(), nullptr);
}

void check_implementation(const Family& family, const Request& request) {
  if (std::ranges::find(family.implementations, request.implementation) != family.implementations.end()) return;
  throw Error(std::string(family.name), fmt::format("has no implementation '{}'", request.implementation),
              fmt::format("it has {}", fmt::join(family.implementations, ", ")));
}

void check_sizes(const Family& family, const Request& request) {
  const std::string name(family.name);
  if (request.sizes.empty()) throw Error(name, "has no sizes", "give at least one");
  if (family.bytes.empty() && (request.adaptive || request.sizes != std::vector<std::uint64_t>{0}))
    throw Error(name, "is not measured for sizes", "leave them out");
  if (request.adaptive && (request.sizes.size() != 2 || request.sizes[0] >= request.sizes[1]))
    throw Error(name, "adaptive sizes lie between two ends", "give the least and the greatest size");
}

std::size_t place_of(const std::string& given, const char* what, std::span<const std::string_view> known) {
  const auto found = std::ranges::find(known, given);
  if (found == known.end())
    throw Error("", fmt::format("there is no {} '{}'", what, given),
                fmt::format("there are {}", fmt::join(known, ", ")));
  return static_cast<std::size_t>(found - known.begin());
}

}  // namespace

Request complete(const Family& family, Request request, std::uint32_t ranks) {
  if (ranks < family.least_ranks)
    throw Error(std::string(family.name), fmt::format("needs {} ranks or more, and there {} {}", family.least_ranks,
                                                      ranks == 1 ? "is" : "are", ranks));
  check_implementation(family, request);
  check_sizes(family, request);
  Request known = request;
  for (const std::string_view name : kAdaptiveNumbers) known.numbers.erase(std::string(name));
  refuse_unknown(family, known.numbers, false);
  refuse_unknown(family, known.words, true);
  for (const FamilyParameter& parameter : family.parameters) fill_in(family, parameter, request);
  settings_of(request.effort);
  return request;
}

double number(const Request& request, std::string_view name) { return request.numbers.at(std::string(name)); }

std::uint64_t count(const Request& request, std::string_view name, std::uint64_t least) {
  const double value = number(request, name);
  if (!(value >= static_cast<double>(least)) || value > 1e15 || value != std::floor(value))
    throw Error(request.operation, fmt::format("'{}' is {}", name, value),
                fmt::format("give a whole number from {} on", least));
  return static_cast<std::uint64_t>(value);
}

const std::string& word(const Request& request, std::string_view name) { return request.words.at(std::string(name)); }

bool flag(const Request& request, std::string_view name) {
  if (count(request, name) > 1)
    throw Error(request.operation, fmt::format("'{}' is {}", name, number(request, name)), "give 0 or 1");
  return count(request, name) == 1;
}

std::size_t choice(const Request& request, std::string_view name, std::span<const std::string_view> known) {
  return place_of(word(request, name), fmt::format("'{}'", name).c_str(), known);
}

Cell cell_of(const Request& request, std::uint64_t bytes) {
  Cell cell;
  cell.operation = request.operation;
  cell.implementation = request.implementation;
  cell.bytes = bytes;
  cell.numbers = request.numbers;
  cell.words = request.words;
  for (const std::string_view name : kAdaptiveNumbers) cell.numbers.erase(std::string(name));
  return cell;
}

plumbline_settings settings_of(const Effort& effort) {
  plumbline_settings settings = plumbline_default_settings();
  settings.timing = static_cast<plumbline_timing>(place_of(effort.timing, "timing", kTimings));
  settings.isolation = static_cast<plumbline_isolation>(place_of(effort.isolation, "isolation", kIsolations));
  settings.stop = static_cast<plumbline_stop>(place_of(effort.stop, "stop", kStops));
  settings.root = static_cast<int>(std::min<std::uint32_t>(effort.root, 0x7fffffff));
  settings.warm_up = effort.warm_up;
  settings.least = effort.least;
  settings.most = effort.most;
  settings.confidence = effort.confidence;
  settings.precision = effort.precision;
  settings.budget = effort.budget_s;
  settings.window = effort.window_s;
  settings.clock_limit = effort.clock_limit_s;
  return settings;
}

}  // namespace plumbline::bench
