#include "hwmodels/platform/node_names.hpp"

#include <fmt/format.h>

#include <charconv>

namespace plumbline::hw {

std::string NumberedNames::name(std::uint32_t i) const { return fmt::format("{}{:0{}}", prefix, first + i, width); }

std::optional<NumberedNames> parse_numbered_name(std::string_view name) {
  constexpr std::size_t kMostDigits = 9;
  const std::size_t digits = name.size() - (name.find_last_not_of("0123456789") + 1);
  if (digits == 0 || digits > kMostDigits) return std::nullopt;
  NumberedNames names;
  names.prefix = name.substr(0, name.size() - digits);
  const std::string_view number = name.substr(name.size() - digits);
  std::from_chars(number.data(), number.data() + number.size(), names.first);
  names.last = names.first;
  if (number.front() == '0') names.width = static_cast<int>(digits);
  return names;
}

std::optional<NumberedNames> parse_numbered_names(std::string_view text) {
  for (std::size_t dash = text.find('-'); dash != text.npos; dash = text.find('-', dash + 1)) {
    std::optional<NumberedNames> names = parse_numbered_name(text.substr(0, dash));
    const std::optional<NumberedNames> end = parse_numbered_name(text.substr(dash + 1));
    if (!names || !end || names->prefix != end->prefix || names->first > end->last) continue;
    names->last = end->last;
    if (names->name(names->count() - 1) == text.substr(dash + 1)) return names;
  }
  return std::nullopt;
}

std::size_t alike_nodes(const std::vector<Node>& nodes, std::size_t first) {
  const std::optional<NumberedNames> names = parse_numbered_name(nodes[first].name);
  std::size_t count = 1;
  for (; names && first + count < nodes.size(); ++count) {
    Node expected = nodes[first];
    expected.name = names->name(static_cast<std::uint32_t>(count));
    if (nodes[first + count] != expected) break;
  }
  return count;
}

}  // namespace plumbline::hw
