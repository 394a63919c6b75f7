#include "viewer/server/endpoint.hpp"

#include <fmt/format.h>

#include <charconv>

namespace plumbline::viewer {

std::string_view Query::text(std::string_view name, std::string_view otherwise) const {
  const auto value = values.find(name);
  return value == values.end() ? otherwise : std::string_view(value->second);
}

std::uint64_t Query::number(std::string_view name, std::uint64_t least, std::uint64_t most,
                            std::optional<std::uint64_t> otherwise) const {
  const auto value = values.find(name);
  if (value == values.end()) {
    if (otherwise) return *otherwise;
    throw BadRequest{400, fmt::format("'{}' is missing", name)};
  }
  const std::string& text = value->second;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most)
    throw BadRequest{400, fmt::format("'{}' is no whole number from {} to {}", name, least, most)};
  return number;
}

}  // namespace plumbline::viewer
