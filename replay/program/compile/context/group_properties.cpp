#include "replay/program/compile/context/group_properties.hpp"

#include <charconv>

namespace plumbline::replay {

std::string_view property(const archive::LocationGroup& group, const char* key) {
  const auto found = group.properties.find(key);
  return found == group.properties.end() ? std::string_view() : found->second;
}

std::int64_t number(const archive::LocationGroup& group, const char* key) {
  const std::string_view text = property(group, key);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value < 0 ? 0 : value;
}

}  // namespace plumbline::replay
