#include "tracer/archive/inside.hpp"

#include <charconv>
#include <string>

#include "tracer/archive/names.hpp"

namespace plumbline::archive {

std::optional<std::uint64_t> inside_of(const Location& location) {
  const auto property = location.properties.find(names::kPropertyInsideOf);
  if (property == location.properties.end()) return std::nullopt;
  const std::string& text = property->second;
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace plumbline::archive
