#include "base/node/rank_identity.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/error.hpp"

namespace plumbline::node {
namespace {

using Ordered = nlohmann::ordered_json;

// Every member with its name, once for both ways.
template <class Identity, class Visit>
void for_each_member(Identity& identity, Visit visit) {
  visit("host", identity.host);
  visit("boot_id", identity.boot_id);
  visit("process", identity.process);
  visit("world_rank", identity.world_rank);
  visit("world_size", identity.world_size);
  visit("library", identity.library);
  visit("flavour", identity.flavour);
  visit("thread_level", identity.thread_level);
  visit("affinity", identity.affinity);
  visit("cores", identity.cores);
  visit("quota_cores", identity.quota_cores);
  visit("launched", identity.launched);
  visit("session_directory", identity.session_directory);
  visit("session_type", identity.session_type);
  visit("session_bytes", identity.session_bytes);
  visit("session_free_bytes", identity.session_free_bytes);
  visit("session_writable", identity.session_writable);
  visit("shm_bytes", identity.shm_bytes);
  visit("shm_free_bytes", identity.shm_free_bytes);
  visit("shm_device", identity.shm_device);
  visit("debug", identity.debug);
  visit("yields", identity.yields);
  visit("settings", identity.settings);
}

template <class Setting, class Visit>
void for_each_setting_member(Setting& setting, Visit visit) {
  visit("name", setting.name);
  visit("value", setting.value);
  visit("how", setting.how);
  visit("file", setting.file);
  visit("line", setting.line);
}

template <class T>
Ordered written(const T& value) {
  return value;
}
Ordered written(const std::vector<RankSetting>& settings) {
  Ordered list = Ordered::array();
  for (const RankSetting& setting : settings) {
    Ordered& one = list.emplace_back(Ordered::object());
    for_each_setting_member(setting, [&](const char* name, const auto& value) { one[name] = value; });
  }
  return list;
}

class Reader {
 public:
  Reader(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {
    if (!object_.is_object()) throw Error(where_, "is no JSON object", kHint);
  }

  template <class T>
  void operator()(const char* name, T& into) const {
    const auto found = object_.find(name);
    if (found == object_.end() || !take(*found, into))
      throw Error(where_, fmt::format("'{}' is missing or of another kind", name), kHint);
  }

 private:
  static constexpr const char* kHint = "give a file that plumbline-bench-ranks --identify of this version has written";

  bool take(const nlohmann::json& value, std::string& into) const {
    if (value.is_string()) into = value.get<std::string>();
    return value.is_string();
  }
  bool take(const nlohmann::json& value, bool& into) const {
    if (value.is_boolean()) into = value.get<bool>();
    return value.is_boolean();
  }
  bool take(const nlohmann::json& value, double& into) const {
    if (value.is_number()) into = value.get<double>();
    return value.is_number();
  }
  template <class T>
  bool take(const nlohmann::json& value, T& into) const requires(std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max()) return false;
    into = value.get<T>();
    return true;
  }
  bool take(const nlohmann::json& value, std::map<std::string, std::uint64_t>& into) const {
    if (!value.is_object()) return false;
    for (const auto& [name, number] : value.items())
      if (!take(number, into[name])) return false;
    return true;
  }
  bool take(const nlohmann::json& value, std::vector<RankSetting>& into) const {
    if (!value.is_array()) return false;
    for (const nlohmann::json& one : value)
      for_each_setting_member(into.emplace_back(), Reader(one, where_ + ": settings"));
    return true;
  }

  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace

std::string to_json(const RankIdentity& identity) {
  Ordered json = Ordered::object();
  for_each_member(identity, [&](const char* name, const auto& value) { json[name] = written(value); });
  return json.dump(1, ' ', false, Ordered::error_handler_t::replace) + "\n";
}

RankIdentity identity_from_json(std::string_view text, const std::string& name) {
  const nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  RankIdentity identity;
  for_each_member(identity, Reader(whole, name));
  return identity;
}

}  // namespace plumbline::node
