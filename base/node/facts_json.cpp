#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/node/facts.hpp"

namespace plumbline::node {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& name, std::string what) {
  throw Error(name, std::move(what), "give a file of node facts that this version of Plumbline has written");
}

const std::string& text_in(const nlohmann::json& object, const char* member, const std::string& name,
                           const std::string& of) {
  const auto found = object.is_object() ? object.find(member) : object.end();
  if (found == object.end() || !found->is_string()) refuse(name, fmt::format("'{}' has no text '{}'", of, member));
  return found->get_ref<const std::string&>();
}

const nlohmann::json& object_in(const nlohmann::json& whole, const char* member, const std::string& name) {
  const auto found = whole.find(member);
  if (found == whole.end() || !found->is_object()) refuse(name, fmt::format("has no object '{}'", member));
  return *found;
}

}  // namespace

// {"facts": {"cpu.governor": {"value": "powersave", "source": "/sys/.."}}, "unreadable": {"/proc/..": "why"}}. Bytes
// that are no UTF-8 become U+FFFD.
std::string to_json(const Facts& facts) {
  Json json = {{"facts", Json::object()}, {"unreadable", Json::object()}};
  for (const auto& [name, fact] : facts.facts) json["facts"][name] = {{"value", fact.value}, {"source", fact.source}};
  for (const auto& [path, why] : facts.unreadable) json["unreadable"][path] = why;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Facts facts_from_json(std::string_view text, const std::string& name) {
  const nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  if (!whole.is_object()) refuse(name, "is no JSON object");
  Facts facts;
  for (const auto& [fact, of] : object_in(whole, "facts", name).items())
    facts.facts.emplace(fact, Fact{text_in(of, "value", name, fact), text_in(of, "source", name, fact)});
  for (const auto& [path, why] : object_in(whole, "unreadable", name).items()) {
    if (!why.is_string()) refuse(name, fmt::format("the reason of '{}' is no text", path));
    facts.unreadable.emplace(path, why.get<std::string>());
  }
  return facts;
}

}  // namespace plumbline::node
