#include "bench/campaign/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.hpp"
#include "base/text/nearest.hpp"

namespace plumbline::bench {

std::string Section::where(const toml::node& node) const {
  const toml::source_region& source = node.source();
  return fmt::format("{}:{}:{}", file_, source.begin.line, source.begin.column);
}

std::string Section::where(const char* key) const {
  const toml::node* node = table_.get(key);
  return node == nullptr ? where() : where(*node);
}

void Section::fault(const std::string& where, const std::string& what, const std::string& hint) {
  faults_.add(where, what, hint);
}

const toml::node* Section::take(const char* key) {
  known_.insert(key);
  return table_.get(key);
}

void Section::text(const char* key, std::string& into) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  if (const auto value = node->value_exact<std::string>())
    into = *value;
  else
    fault(where(*node), fmt::format("'{}' is a text", key), "put it in quotes");
}

void Section::one_of(const char* key, std::span<const std::string> known, std::string& into) {
  std::string value = into;
  text(key, value);
  if (std::ranges::find(known, value) != known.end())
    into = value;
  else
    fault(where(key), fmt::format("there is no {} '{}'", key, value), did_you_mean_one_of(value, known));
}

void Section::flag(const char* key, bool& into) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  if (const auto value = node->value_exact<bool>())
    into = *value;
  else
    fault(where(*node), fmt::format("'{}' is true or false", key), "without quotes");
}

std::optional<std::int64_t> Section::whole_number(const char* key, std::int64_t least, std::int64_t most) {
  const toml::node* node = take(key);
  if (node == nullptr) return std::nullopt;
  const auto value = node->value_exact<std::int64_t>();
  if (value && *value >= least && *value <= most) return value;
  fault(where(*node), fmt::format("'{}' is a whole number from {} to {}", key, least, most));
  return std::nullopt;
}

void Section::fraction(const char* key, double& into) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  const auto value = node->value_exact<double>();
  if (value && *value > 0 && *value < 1)
    into = *value;
  else
    fault(where(*node), fmt::format("'{}' lies between 0 and 1", key), "0.05 is 5 %");
}

void Section::seconds(const char* key, double& into) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  std::optional<double> value;
  if (const auto text = node->value_exact<std::string>()) {
    if (const std::optional<Duration> duration = parse_duration(*text)) value = duration->seconds();
  } else if (node->is_number()) {
    value = node->value<double>();
  }
  if (value && *value > 0 && std::isfinite(*value))
    into = *value;
  else
    fault(where(*node), fmt::format("'{}' is a time above 0", key), "\"300ms\", or seconds as a number");
}

void Section::texts(const char* key, std::vector<std::string>& into) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  std::vector<std::string> found;
  const auto add = [&](const toml::node& each) {
    if (const auto value = each.value_exact<std::string>())
      found.push_back(*value);
    else
      fault(where(each), fmt::format("'{}' is a text or a list of texts", key), "put each in quotes");
  };
  if (const toml::array* list = node->as_array())
    for (const toml::node& each : *list) add(each);
  else
    add(*node);
  if (const toml::array* list = node->as_array(); list != nullptr && list->empty())
    fault(where(*node), fmt::format("'{}' is an empty list", key), "leave it out, or name something");
  if (!found.empty()) into = found;
}

std::optional<Value> Section::value_of(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return Value{where(node), *text};
  if (const auto number = node.value_exact<std::int64_t>())
    return Value{where(node), fmt::format("{}", *number), static_cast<double>(*number)};
  if (const auto number = node.value_exact<double>(); number && std::isfinite(*number))
    return Value{where(node), fmt::format("{}", *number), *number};
  if (const auto flag = node.value_exact<bool>())
    return Value{where(node), *flag ? "true" : "false", *flag ? 1.0 : 0.0};
  return std::nullopt;
}

void Section::add_values(const std::string& key, const toml::node& node,
                         std::map<std::string, std::vector<Value>>& to) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [inner, value] : *table) add_values(key + "." + std::string(inner.str()), value, to);
    return;
  }
  const auto add = [&](const toml::node& each) {
    if (const std::optional<Value> value = value_of(each))
      to[key].push_back(*value);
    else
      fault(where(each), fmt::format("'{}' is a number, a text, or a list of these", key));
  };
  if (const toml::array* list = node.as_array()) {
    if (list->empty()) fault(where(node), fmt::format("'{}' is an empty list", key), "leave it out, or name something");
    for (const toml::node& each : *list) add(each);
  } else {
    add(node);
  }
}

std::map<std::string, std::vector<Value>> Section::others() {
  std::map<std::string, std::vector<Value>> result;
  for (const auto& [key, node] : table_)
    if (!known_.contains(std::string(key.str()))) add_values(std::string(key.str()), node, result);
  return result;
}

void Section::finish() {
  const std::vector<std::string> known(known_.begin(), known_.end());
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (known_.contains(name)) continue;
    const toml::source_region& source = key.source();
    fault(fmt::format("{}:{}:{}", file_, source.begin.line, source.begin.column),
          fmt::format("there is no key '{}' here", name), did_you_mean_one_of(name, known));
  }
}

}  // namespace plumbline::bench
