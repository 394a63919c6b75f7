#include "replay/validate/report/json.hpp"

#include <optional>
#include <type_traits>
#include <vector>

#include "replay/validate/report/members.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::replay::validate {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json json_of(const T& value);

template <typename T>
Json json_of(const std::vector<T>& values) {
  Json array = Json::array();
  for (const T& value : values) array.push_back(json_of(value));
  return array;
}

struct MemberWriter {
  Json json = Json::object();

  template <typename T>
  void operator()(const char* name, const T& member) {
    json[name] = json_of(member);
  }
  template <typename T>
  void operator()(const char* name, const std::optional<T>& member) {
    if (member) json[name] = json_of(*member);
  }
};

template <typename T>
Json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return word(value);
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else {
    MemberWriter writer;
    visit_members(writer, value);
    return std::move(writer.json);
  }
}

Json verdict_json(const Validation& validation) {
  Json json;
  json["word"] = verdict_word(validation);
  json["exit_code"] = static_cast<int>(exit_code(validation));
  json["sentence"] = verdict_sentence(validation);
  json["findings"] = findings(validation).size();
  json["suppressed"] = suppressed_findings(validation);
  json["suite_s"] = validation.suite_s();
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Validation& validation) {
  Json json;
  json["format"] = "plumbline-validation";
  json["version"] = kJsonVersion;
  json["verdict"] = verdict_json(validation);
  json.update(json_of(validation));
  return json;
}

std::string json_text(const Validation& validation) {
  return to_json(validation).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::replay::validate
