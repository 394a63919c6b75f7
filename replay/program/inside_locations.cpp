#include "replay/program/inside_locations.hpp"

#include <algorithm>
#include <unordered_map>

namespace plumbline::replay {
namespace {

constexpr std::uint64_t kInsideNumber = std::uint64_t{1} << 51;  // + the number of the location of the calls
constexpr std::string_view kContextName = "context ";

// Calls visit(inside, location of the calls) for each pair.
template <class Visit>
void for_each_inside(const archive::Definitions& definitions, Visit visit) {
  std::unordered_map<std::uint64_t, std::uint32_t> by_number;
  bool any = false;
  for (const archive::Location& location : definitions.locations) any = any || location.otf2_id >= kInsideNumber;
  if (!any) return;
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i)
    by_number.emplace(definitions.locations[i].otf2_id, i);
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    const std::uint64_t number = definitions.locations[i].otf2_id;
    if (number < kInsideNumber) continue;
    if (const auto calls = by_number.find(number - kInsideNumber); calls != by_number.end()) visit(i, calls->second);
  }
}

}  // namespace

std::vector<std::uint32_t> inside_locations(const archive::Definitions& definitions) {
  std::vector<std::uint32_t> inside(definitions.locations.size(), archive::kUndefined);
  for_each_inside(definitions, [&](std::uint32_t i, std::uint32_t calls) { inside[calls] = i; });
  return inside;
}

std::vector<bool> is_inside_location(const archive::Definitions& definitions) {
  std::vector<bool> is_inside(definitions.locations.size(), false);
  for_each_inside(definitions, [&](std::uint32_t i, std::uint32_t) { is_inside[i] = true; });
  return is_inside;
}

std::vector<bool> is_context(const archive::Definitions& definitions) {
  std::vector<bool> contexts(definitions.comms.size(), false);
  const std::vector<bool> is_inside = is_inside_location(definitions);
  if (std::ranges::none_of(is_inside, [](bool inside) { return inside; })) return contexts;
  for (std::size_t i = 0; i < contexts.size(); ++i)
    contexts[i] = std::string_view(definitions.strings[definitions.comms[i].name]).starts_with(kContextName);
  return contexts;
}

}  // namespace plumbline::replay
