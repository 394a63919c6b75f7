#pragma once
// The fields of one JSON object that somebody wrote: of the right kind and in range, or an Error that says where. A
// field that is not there leaves what it would go to as it is.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace plumbline::bench {

class JsonFields {
 public:
  // `where`: as an Error says it, "plan.json: requests[3]". `object` must outlive this.
  JsonFields(const nlohmann::json& object, std::string where);

  void take(const char* name, std::string& into);
  void take(const char* name, bool& into);
  void take(const char* name, double& into);
  void take(const char* name, std::uint32_t& into);
  void take(const char* name, std::uint64_t& into);
  void take(const char* name, std::vector<std::string>& into);
  void take(const char* name, std::vector<double>& into);
  void take(const char* name, std::vector<std::uint32_t>& into);
  void take(const char* name, std::vector<std::uint64_t>& into);
  void take(const char* name, std::map<std::string, double>& into);
  void take(const char* name, std::map<std::string, std::string>& into);

  // The value as it is; null where there is none.
  const nlohmann::json* part(const char* name);
  const std::string& where() const { return where_; }

  // Throws Error when there are fields that nobody took.
  void finish() const;

 private:
  template <class T>
  void take_one(const char* name, T& into);
  template <class T>
  void take_all(const char* name, std::vector<T>& into);
  template <class T>
  void take_named(const char* name, std::map<std::string, T>& into);

  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string, std::less<>> known_;
};

// What a line says; Error with `where` when it is no JSON object.
nlohmann::json parse_object(std::string_view text, const std::string& where);

// On one line. Bytes that are no UTF-8, as a file's name can have, become U+FFFD.
std::string to_line(const nlohmann::ordered_json& json);

}  // namespace plumbline::bench
