#include "replay/program/compile/context/inside_locations.hpp"

#include <unordered_map>

#include "tracer/archive/inside.hpp"

namespace plumbline::replay {
namespace {

// Calls visit(inside, location of the calls) for each pair.
template <class Visit>
void for_each_inside(const archive::Definitions& definitions, Visit visit) {
  std::unordered_map<std::uint64_t, std::uint32_t> by_number;
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i)
    by_number.emplace(definitions.locations[i].otf2_id, i);
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    const std::optional<std::uint64_t> of = archive::inside_of(definitions.locations[i]);
    if (!of) continue;
    if (const auto calls = by_number.find(*of); calls != by_number.end()) visit(i, calls->second);
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
  std::vector<bool> contexts;
  for (const archive::Comm& comm : definitions.comms) contexts.push_back(comm.is_inside);
  return contexts;
}

}  // namespace plumbline::replay
