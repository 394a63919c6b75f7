#include "bench/results/json_fields.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/error.hpp"

namespace plumbline::bench {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& name, const char* expected) {
  throw Error(where, fmt::format("'{}' is not {}", name, expected), "files of another version are not read");
}

void convert(const nlohmann::json& value, const std::string& where, const std::string& name, std::string& into) {
  if (!value.is_string()) refuse(where, name, "a text");
  into = value.get<std::string>();
}

void convert(const nlohmann::json& value, const std::string& where, const std::string& name, bool& into) {
  if (!value.is_boolean()) refuse(where, name, "true or false");
  into = value.get<bool>();
}

void convert(const nlohmann::json& value, const std::string& where, const std::string& name, double& into) {
  if (!value.is_number()) refuse(where, name, "a number");
  into = value.get<double>();
}

void convert(const nlohmann::json& value, const std::string& where, const std::string& name, std::uint64_t& into) {
  if (!value.is_number_unsigned()) refuse(where, name, "a whole number");
  into = value.get<std::uint64_t>();
}

void convert(const nlohmann::json& value, const std::string& where, const std::string& name, std::uint32_t& into) {
  std::uint64_t wide = 0;
  convert(value, where, name, wide);
  if (wide > std::numeric_limits<std::uint32_t>::max()) refuse(where, name, "a whole number below 2^32");
  into = static_cast<std::uint32_t>(wide);
}

}  // namespace

JsonFields::JsonFields(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
  if (!object_.is_object()) throw Error(where_, "is not a JSON object", "files of another version are not read");
}

const nlohmann::json* JsonFields::part(const char* name) {
  known_.insert(name);
  const auto found = object_.find(name);
  return found == object_.end() ? nullptr : &*found;
}

template <class T>
void JsonFields::take_one(const char* name, T& into) {
  if (const nlohmann::json* value = part(name)) convert(*value, where_, name, into);
}

template <class T>
void JsonFields::take_all(const char* name, std::vector<T>& into) {
  const nlohmann::json* values = part(name);
  if (values == nullptr) return;
  if (!values->is_array()) refuse(where_, name, "a list");
  into.clear();
  for (const nlohmann::json& value : *values) convert(value, where_, name, into.emplace_back());
}

template <class T>
void JsonFields::take_named(const char* name, std::map<std::string, T>& into) {
  const nlohmann::json* values = part(name);
  if (values == nullptr) return;
  if (!values->is_object()) refuse(where_, name, "an object");
  into.clear();
  for (const auto& [key, value] : values->items()) convert(value, where_, fmt::format("{}.{}", name, key), into[key]);
}

void JsonFields::take(const char* name, std::string& into) { take_one(name, into); }
void JsonFields::take(const char* name, bool& into) { take_one(name, into); }
void JsonFields::take(const char* name, double& into) { take_one(name, into); }
void JsonFields::take(const char* name, std::uint32_t& into) { take_one(name, into); }
void JsonFields::take(const char* name, std::uint64_t& into) { take_one(name, into); }
void JsonFields::take(const char* name, std::vector<std::string>& into) { take_all(name, into); }
void JsonFields::take(const char* name, std::vector<double>& into) { take_all(name, into); }
void JsonFields::take(const char* name, std::vector<std::uint32_t>& into) { take_all(name, into); }
void JsonFields::take(const char* name, std::vector<std::uint64_t>& into) { take_all(name, into); }
void JsonFields::take(const char* name, std::map<std::string, double>& into) { take_named(name, into); }
void JsonFields::take(const char* name, std::map<std::string, std::string>& into) { take_named(name, into); }

void JsonFields::finish() const {
  for (const auto& [name, value] : object_.items())
    if (!known_.contains(name))
      throw Error(where_, fmt::format("nothing is known of '{}'", name), "files of another version are not read");
}

nlohmann::json parse_object(std::string_view text, const std::string& where) {
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (!parsed.is_object()) throw Error(where, "is not a JSON object", "files of another version are not read");
  return parsed;
}

std::string to_line(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace plumbline::bench
