#include "schema_check.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace plumbline::replay {
namespace {

using Json = nlohmann::json;

class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& schema) : schema_(schema) {}

  std::string run(const Json& value) {
    check(value, schema_, "");
    return std::move(faults_);
  }

 private:
  void fault(const std::string& path, const std::string& what) { faults_ += path + ": " + what + "\n"; }

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    // Whatever has no fraction, also where it is too large for an integer of C++.
    if (type == "integer")
      return value.is_number_integer() ||
             (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
    if (type == "number") return value.is_number();
    throw std::runtime_error("the schema has the type " + type + ", which this check does not know");
  }

  void check(const Json& value, const Json& schema, const std::string& path) {
    if (schema.contains("$ref")) {
      check(value, schema_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))), path);
      return;
    }
    if (schema.contains("const") && value != schema["const"]) fault(path, "not what it must be");
    if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
      fault(path, "not one of the words allowed");
    if (schema.contains("type") && !has_type(value, schema["type"])) return fault(path, "of another type");
    if (schema.contains("minimum") && value < schema["minimum"]) fault(path, "too small");
    if (schema.contains("maximum") && value > schema["maximum"]) fault(path, "too large");
    if (value.is_object()) check_object(value, schema, path);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i)
        check(value[i], schema.at("items"), path + "/" + std::to_string(i));
  }

  void check_object(const Json& value, const Json& schema, const std::string& path) {
    for (const Json& key : schema.at("required"))
      if (!value.contains(key.get<std::string>())) fault(path + "/" + key.get<std::string>(), "missing");
    for (const auto& [key, member] : value.items()) {
      if (schema.at("properties").contains(key))
        check(member, schema["properties"][key], path + "/" + key);
      else
        fault(path + "/" + key, "not in the schema");
    }
  }

  const Json& schema_;
  std::string faults_;
};

}  // namespace

std::string schema_faults(const Json& value, const std::string& schema_file) {
  std::ifstream file(schema_file);
  const Json schema = Json::parse(file);
  return SchemaCheck(schema).run(value);
}

}  // namespace plumbline::replay
