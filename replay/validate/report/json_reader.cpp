#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "base/error.hpp"
#include "replay/validate/report/json.hpp"
#include "replay/validate/report/members.hpp"

namespace plumbline::replay::validate {
namespace {

using Value = nlohmann::json;

constexpr const char* kHint = "give the report.json that `plumbline validate` wrote";

constexpr std::array kReferences{Reference::kStructure, Reference::kPeers, Reference::kNominal,
                                 Reference::kBaseline,  Reference::kRule,  Reference::kWitness};
constexpr std::array kConfidences{Confidence::kCertain, Confidence::kHigh, Confidence::kGood, Confidence::kLow};
constexpr std::array kStates{CheckState::kPassed, CheckState::kFound, CheckState::kCouldNotRun, CheckState::kNotJudged,
                             CheckState::kSuppressed};

const auto& all_of(Reference) { return kReferences; }
const auto& all_of(Confidence) { return kConfidences; }
const auto& all_of(CheckState) { return kStates; }

// A value and the way to it: "report.json: diagnoses[3].cost_s".
struct Place {
  const std::string& file;
  std::string path;

  Place member(const char* name) const { return {file, path.empty() ? name : path + "." + name}; }
  Place element(std::size_t index) const { return {file, fmt::format("{}[{}]", path, index)}; }
  [[noreturn]] void fault(std::string_view what) const {
    throw Error(path.empty() ? file : fmt::format("{}: {}", file, path), std::string(what), kHint);
  }
};

void read(const Value& json, bool& value, const Place& place) {
  if (!json.is_boolean()) place.fault("is neither true nor false");
  value = json.get<bool>();
}

void read(const Value& json, double& value, const Place& place) {
  if (!json.is_number()) place.fault("is no number");
  value = json.get<double>();
}

void read(const Value& json, std::string& value, const Place& place) {
  if (!json.is_string()) place.fault("is no text");
  value = json.get<std::string>();
}

template <typename T>
requires std::is_unsigned_v<T>
void read(const Value& json, T& value, const Place& place) {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > std::numeric_limits<T>::max())
    place.fault(fmt::format("is no whole number from 0 to {}", std::numeric_limits<T>::max()));
  value = json.get<T>();
}

template <typename T>
requires std::is_enum_v<T>
void read(const Value& json, T& value, const Place& place) {
  std::string text;
  read(json, text, place);
  const auto found = std::ranges::find(all_of(T{}), text, [](T each) { return word(each); });
  if (found == all_of(T{}).end()) place.fault(fmt::format("'{}' is none of the words allowed", text));
  value = *found;
}

template <typename T>
requires std::is_class_v<T>
void read(const Value& json, T& value, const Place& place);

template <typename T>
void read(const Value& json, std::vector<T>& values, const Place& place) {
  if (!json.is_array()) place.fault("is no list");
  values.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) read(json[i], values[i], place.element(i));
}

struct MemberReader {
  const Value& json;
  const Place& place;

  template <typename T>
  void operator()(const char* name, T& member) {
    const auto found = json.find(name);
    if (found == json.end()) place.member(name).fault("is missing");
    read(*found, member, place.member(name));
  }
  template <typename T>
  void operator()(const char* name, std::optional<T>& member) {
    if (const auto found = json.find(name); found != json.end()) read(*found, member.emplace(), place.member(name));
  }
};

template <typename T>
requires std::is_class_v<T>
void read(const Value& json, T& value, const Place& place) {
  if (!json.is_object()) place.fault("is no object");
  MemberReader reader{json, place};
  visit_members(reader, value);
}

Value parsed(std::string_view text, const std::string& name) {
  try {
    return Value::parse(text);
  } catch (const Value::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(error.byte, text.size()));
    throw Error(fmt::format("{}:{}", name, 1 + std::ranges::count(before, '\n')), "is no JSON from here on", kHint);
  } catch (const Value::exception&) {  // a number that no double holds
    throw Error(name, "has a number that is too large", kHint);
  }
}

void require_format(const Value& json, const Place& place) {
  if (!json.is_object() || !json.contains("format") || json["format"] != "plumbline-validation")
    place.fault("is no validation");
  std::uint64_t version = 0;
  if (!json.contains("version")) place.member("version").fault("is missing");
  read(json["version"], version, place.member("version"));
  if (version != kJsonVersion)
    throw Error(place.file, fmt::format("has version {} of the format, this Plumbline reads {}", version, kJsonVersion),
                "validate again with this Plumbline, or read it with the one that wrote it");
}

}  // namespace

Validation from_json(std::string_view text, const std::string& name) {
  const Value json = parsed(text, name);
  const Place place{name, {}};
  require_format(json, place);
  Validation validation;
  read(json, validation, place);
  return validation;
}

}  // namespace plumbline::replay::validate
