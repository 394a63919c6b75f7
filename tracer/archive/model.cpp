#include "tracer/archive/model.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace plumbline::archive {

StringTable::StringTable(const StringTable& other) : ids_(other.ids_), texts_(other.texts_.size()) {
  for (const auto& [text, id] : ids_) texts_[id] = &text;
}

StringTable& StringTable::operator=(const StringTable& other) {
  if (this != &other) *this = StringTable(other);
  return *this;
}

StringId StringTable::intern(std::string_view text) {
  const auto [entry, is_new] = ids_.try_emplace(std::string(text), static_cast<StringId>(texts_.size()));
  if (is_new) texts_.push_back(&entry->first);
  return entry->second;
}

std::uint32_t Definitions::attribute(std::string_view name, AttributeType type,
                                     std::string_view attribute_description) {
  if (const std::optional<std::uint32_t> known = find_attribute(name)) {
    PLUMBLINE_CHECK(attributes[*known].type == type, "an attribute has one type");
    return *known;
  }
  attributes.push_back({strings.intern(name), strings.intern(attribute_description), type});
  return static_cast<std::uint32_t>(attributes.size() - 1);
}

std::optional<std::uint32_t> Definitions::find_attribute(std::string_view name) const {
  for (std::uint32_t i = 0; i < attributes.size(); ++i)
    if (strings[attributes[i].name] == name) return i;
  return std::nullopt;
}

const std::vector<std::uint32_t>& Definitions::members_of(std::uint32_t metric) const {
  const Metric& own = metrics[metric];
  return own.instance_of == kUndefined ? own.members : metrics[own.instance_of].members;
}

std::uint32_t Definitions::world_size() const {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(locations, [](const Location& location) { return location.rank.has_value(); }));
}

}  // namespace plumbline::archive
