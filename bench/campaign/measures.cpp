#include "bench/campaign/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text/nearest.hpp"
#include "bench/campaign/sizes.hpp"

namespace plumbline::bench {
namespace {

const std::vector<std::string> kTimings{"max", "root", "global", "acknowledged"};
const std::vector<std::string> kIsolations{"barrier", "two barriers", "dissemination", "window", "round time"};
const std::vector<std::string> kStops{"median", "Student", "count"};
constexpr char kUsualSizes[] = "1..1MiB*4";
constexpr std::size_t kMostRequests = 20'000;

struct Sizes {
  std::vector<std::uint64_t> sizes;
  bool adaptive = false;
};

std::optional<std::uint64_t> size_of(Section& section, const toml::node& node) {
  try {
    if (const auto number = node.value_exact<std::int64_t>()) return parse_size(fmt::format("{}", *number));
    if (const auto text = node.value_exact<std::string>()) return parse_size(*text);
    section.fault(section.where(node), "a size is a number of bytes, or a text such as \"64KiB\"");
  } catch (const Error& error) {
    section.fault(section.where(node), error.problems()[0].what, error.problems()[0].hint);
  }
  return std::nullopt;
}

void add_sizes(Section& section, const toml::node& node, std::vector<std::uint64_t>& to) {
  const auto text = node.value_exact<std::string>();
  if (!text) {
    if (const std::optional<std::uint64_t> size = size_of(section, node)) to.push_back(*size);
    return;
  }
  try {
    const std::vector<std::uint64_t> sizes = parse_sizes(*text);
    to.insert(to.end(), sizes.begin(), sizes.end());
  } catch (const Error& error) {
    section.fault(section.where(node), error.problems()[0].what, error.problems()[0].hint);
  }
}

// {from = 0, to = "64KiB"}: between these two, where the time bends.
Sizes read_ends(Section& section, const toml::table& ends) {
  Sizes result{{}, true};
  for (const char* key : {"from", "to"}) {
    const toml::node* node = ends.get(key);
    if (node == nullptr) {
      section.fault(section.where(ends), fmt::format("adaptive sizes have no '{}'", key),
                    "write {from = 0, to = \"64KiB\"}");
    } else if (const std::optional<std::uint64_t> size = size_of(section, *node)) {
      result.sizes.push_back(*size);
    }
  }
  for (const auto& [key, node] : ends)
    if (key != "from" && key != "to")
      section.fault(section.where(node), fmt::format("there is no key '{}' here", key.str()), "known: from, to");
  if (result.sizes.size() == 2 && result.sizes[0] >= result.sizes[1])
    section.fault(section.where(ends), "adaptive sizes end before they begin", "'from' is the smaller one");
  return result;
}

Sizes read_sizes(Section& section) {
  Sizes result;
  const toml::node* node = section.take("sizes");
  if (node == nullptr)
    result.sizes = parse_sizes(kUsualSizes);
  else if (const toml::table* ends = node->as_table())
    result = read_ends(section, *ends);
  else if (const toml::array* list = node->as_array())
    for (const toml::node& each : *list) add_sizes(section, each, result.sizes);
  else
    add_sizes(section, *node, result.sizes);
  if (node != nullptr && node->is_array() && node->as_array()->empty())
    section.fault(section.where(*node), "'sizes' is an empty list", "leave it out for " + std::string(kUsualSizes));
  std::uint64_t by = 0;
  section.whole("perturb", 0, static_cast<std::int64_t>(kLargestSize), by);
  if (by > 0 && result.adaptive)
    section.fault(section.where("perturb"), "adaptive sizes are not perturbed", "leave out one of the two");
  if (!result.adaptive) result.sizes = perturbed(result.sizes, by);
  return result;
}

std::optional<double> as_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

using Choices = std::map<std::string, std::vector<Value>>;

void set(const Parameter& parameter, const std::string& key, const Value& value, Request& request) {
  if (parameter.is_word)
    request.words[key] = value.text;
  else
    request.numbers[key] = *value.number;
}

// Faults of what was given for parameters of `operation`; whether there are none.
bool check_choices(Section& section, const Operation& operation, const Choices& choices) {
  bool good = true;
  const auto fault = [&](const std::string& where, const std::string& what, const std::string& hint) {
    section.fault(where, what, hint);
    good = false;
  };
  std::vector<std::string> known(section.known().begin(), section.known().end());
  for (const Parameter& parameter : operation.parameters) known.push_back(parameter.name);
  for (const auto& [key, values] : choices) {
    const Parameter* parameter = operation.parameter(key);
    if (parameter == nullptr) {
      fault(values[0].where, fmt::format("'{}' has no parameter '{}'", operation.name, key),
            did_you_mean_one_of(key, known));
      continue;
    }
    for (const Value& value : values)
      if (!parameter->is_word && !value.number)
        fault(value.where, fmt::format("'{}' of '{}' is a number", key, operation.name), "without quotes");
  }
  for (const Parameter& parameter : operation.parameters)
    if (parameter.by_default.empty() && !parameter.is_pattern() && !choices.contains(parameter.name))
      fault(section.where(), fmt::format("'{}' needs '{}': {}", operation.name, parameter.name, parameter.summary),
            fmt::format("{} = ...", parameter.name));
  return good;
}

Request with_defaults(const Operation& operation, const Settings& settings) {
  Request request;
  request.operation = operation.name;
  request.effort = settings.effort;
  request.keep_ranks = settings.keep_ranks;
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.by_default.empty() || parameter.is_pattern()) continue;
    if (parameter.is_word)
      request.words[parameter.name] = parameter.by_default;
    else if (const std::optional<double> number = as_number(parameter.by_default))
      request.numbers[parameter.name] = *number;
  }
  return request;
}

// Every request once for each value of each parameter.
std::vector<Request> for_each_choice(std::vector<Request> requests, const Operation& operation,
                                     const Choices& choices) {
  for (const auto& [key, values] : choices) {
    std::vector<Request> more;
    for (const Request& request : requests)
      for (const Value& value : values) set(*operation.parameter(key), key, value, more.emplace_back(request));
    requests = std::move(more);
    if (requests.size() > kMostRequests) break;
  }
  return requests;
}

std::vector<Request> for_each_size(const std::vector<Request>& requests, const Operation& operation,
                                   const Sizes& sizes) {
  std::vector<Request> result;
  for (const Request& request : requests) {
    if (operation.bytes.empty()) {
      result.emplace_back(request).sizes = {0};
    } else if (sizes.adaptive) {
      Request& ends = result.emplace_back(request);
      ends.sizes = sizes.sizes;
      ends.adaptive = true;
    } else {
      for (const std::uint64_t size : sizes.sizes) result.emplace_back(request).sizes = {size};
    }
    if (result.size() > kMostRequests) break;
  }
  return result;
}

std::vector<std::string> chosen_implementations(Section& section, const Operation& operation,
                                                const std::vector<std::string>& named) {
  if (named == std::vector<std::string>{"all"}) return operation.implementations;
  std::vector<std::string> result;
  for (const std::string& name : named) {
    if (std::ranges::find(operation.implementations, name) != operation.implementations.end())
      result.push_back(name);
    else
      section.fault(section.where("implementation"),
                    fmt::format("'{}' has no implementation '{}'", operation.name, name),
                    did_you_mean_one_of(name, operation.implementations));
  }
  return result;
}

}  // namespace

void read_settings(Section& section, Settings& into) {
  constexpr std::int64_t kMany = 1'000'000'000;
  Effort& effort = into.effort;
  section.one_of("timing", kTimings, effort.timing);
  section.one_of("isolation", kIsolations, effort.isolation);
  section.one_of("stop", kStops, effort.stop);
  section.whole("root", 0, kMany, effort.root);
  section.whole("warm_up", 0, kMany, effort.warm_up);
  section.whole("least", 1, kMany, effort.least);
  section.whole("most", 1, kMany, effort.most);
  section.fraction("confidence", effort.confidence);
  section.fraction("precision", effort.precision);
  into.own_budget = into.own_budget || section.has("budget");
  section.seconds("budget", effort.budget_s);
  section.seconds("window", effort.window_s);
  section.seconds("clock_limit", effort.clock_limit_s);
  section.flag("keep_ranks", into.keep_ranks);
  if (!section.has("least")) effort.least = std::min(effort.least, effort.most);
  if (!section.has("most")) effort.most = std::max(effort.least, effort.most);
  if (effort.least > effort.most)
    section.fault(section.where("least"), fmt::format("at least {} and at most {}", effort.least, effort.most),
                  "'most' is not below 'least'");
}

std::vector<Asked> read_measure(Section& section, const Catalogue& catalogue, const Settings& all_settings) {
  Settings settings = all_settings;
  read_settings(section, settings);
  const bool says_sizes = section.has("sizes") || section.has("perturb");
  const Sizes sizes = read_sizes(section);
  std::vector<std::string> operations, implementations{"library"};
  section.texts("operation", operations);
  section.texts("implementation", implementations);
  if (!section.has("operation"))
    section.fault(section.where(), "nothing is said to be measured", "operation = \"bcast\"; plumbline bench --list");
  const Choices choices = section.others();
  std::vector<Asked> result;
  for (const std::string& name : operations) {
    const Operation* operation = catalogue.find(name);
    if (operation == nullptr) {
      section.fault(section.where("operation"), fmt::format("there is no operation '{}'", name),
                    did_you_mean(name, catalogue.names(), "plumbline bench --list shows all"));
      continue;
    }
    if (operation->bytes.empty() && says_sizes)
      section.fault(section.where(section.has("sizes") ? "sizes" : "perturb"), fmt::format("'{}' has no sizes", name),
                    "leave them out, or give it a [[measure]] of its own");
    if (!check_choices(section, *operation, choices)) continue;
    for (const std::string& implementation : chosen_implementations(section, *operation, implementations)) {
      Request request = with_defaults(*operation, settings);
      request.implementation = implementation;
      for (Request& each : for_each_size(for_each_choice({request}, *operation, choices), *operation, sizes))
        result.push_back({std::move(each), operation->least_ranks, settings.own_budget});
      if (result.size() > kMostRequests) {
        section.fault(section.where(), fmt::format("these are more than {} measurements", kMostRequests),
                      "take fewer sizes or values");
        return {};
      }
    }
  }
  return result;
}

}  // namespace plumbline::bench
