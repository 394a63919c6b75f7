#pragma once
// A table of a TOML file, read key by key. Every fault is collected, with its place and what may have been meant.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

#include "base/error.hpp"

namespace plumbline::bench {

// A number or a word of a user's own key.
struct Value {
  std::string where;
  std::string text;  // as it would be written
  std::optional<double> number = {};
};

class Section {
 public:
  // `table` and `faults` outlive this. Keys of `also` are known besides those that are asked for.
  Section(const toml::table& table, std::string file, Diagnostics& faults)
      : table_(table), file_(std::move(file)), faults_(faults) {}

  bool has(const char* key) const { return table_.contains(key); }
  const toml::node* take(const char* key);  // null where there is none
  std::string where() const { return where(table_); }
  std::string where(const toml::node& node) const;
  std::string where(const char* key) const;
  void fault(const std::string& where, const std::string& what, const std::string& hint = {});

  // Each leaves `into` as it is where the key is missing or wrong.
  void text(const char* key, std::string& into);
  void one_of(const char* key, std::span<const std::string> known, std::string& into);
  void flag(const char* key, bool& into);
  template <class T>
  void whole(const char* key, std::int64_t least, std::int64_t most, T& into) {
    if (const std::optional<std::int64_t> value = whole_number(key, least, most)) into = static_cast<T>(*value);
  }
  void fraction(const char* key, double& into);  // between 0 and 1, neither of them
  void seconds(const char* key, double& into);   // 2.5, "2.5s", "300ms"
  // One text or a list of them.
  void texts(const char* key, std::vector<std::string>& into);

  // What nobody asked for: keys with one value or a list of values; those of a table in it as "table.key".
  std::map<std::string, std::vector<Value>> others();
  // A fault for every key that nobody asked for.
  void finish();
  const std::set<std::string>& known() const { return known_; }

 private:
  std::optional<std::int64_t> whole_number(const char* key, std::int64_t least, std::int64_t most);
  void add_values(const std::string& key, const toml::node& node, std::map<std::string, std::vector<Value>>& to);
  std::optional<Value> value_of(const toml::node& node);

  const toml::table& table_;
  std::string file_;
  Diagnostics& faults_;
  std::set<std::string> known_;
};

}  // namespace plumbline::bench
