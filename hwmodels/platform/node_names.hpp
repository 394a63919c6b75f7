#pragma once
// Ranges of names, as platform files write them: "n0-n255".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

// PREFIXn for n from `first` to `last`, with at least `width` digits.
struct NumberedNames {
  std::string prefix;
  std::uint32_t first = 0, last = 0;
  int width = 1;

  std::uint32_t count() const { return last - first + 1; }
  std::string name(std::uint32_t i) const;  // of first + i
};

// Of "n0-n255" or "n008-n015"; nothing when both sides are not names of one kind in ascending order.
std::optional<NumberedNames> parse_numbered_names(std::string_view text);

// The name as a range of one; nothing when it does not end with a number of at most nine digits.
std::optional<NumberedNames> parse_numbered_name(std::string_view name);

// How many nodes from `first` on are alike but for the numbers in their names, which follow each other; at least 1.
std::size_t alike_nodes(const std::vector<Node>& nodes, std::size_t first);

}  // namespace plumbline::hw
