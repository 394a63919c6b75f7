#include "replay/program/compile/rank_locations.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "replay/program/records.hpp"

namespace plumbline::replay {

std::vector<std::uint32_t> locations_by_rank(const archive::Definitions& definitions, const std::string& where) {
  std::vector<std::uint32_t> locations(definitions.world_size(), kNone);
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    const std::optional<std::uint32_t> rank = definitions.locations[i].rank;
    if (!rank) continue;
    if (*rank >= locations.size() || locations[*rank] != kNone)
      throw Error(where, fmt::format("locations speak for {} ranks, but not once for each", locations.size()));
    locations[*rank] = i;
  }
  if (locations.empty()) throw Error(where, "no location speaks for an MPI rank", "record an MPI program");
  return locations;
}

}  // namespace plumbline::replay
