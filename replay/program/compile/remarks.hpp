#pragma once
// What is said of an archive that has been compiled.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "replay/program/compile/context/context.hpp"

namespace plumbline::replay {

// What was found on the way, over all locations.
struct Found {
  std::uint64_t operations = 0;
  std::uint64_t damaged_locations = 0;
  std::vector<std::string> damage;               // of kMostInWords of them, in words
  std::map<std::string, std::uint64_t> skipped;  // records, by OTF2's name
  Tally tally;
};

// Adds what was found on later ranks.
void add(Found& found, const Found& later);

template <class Io>
void fields(Io& io, Found& found) {
  io(found.operations, found.damaged_locations, found.damage, found.skipped, found.tally);
}

// What the archive does not tell and matters to this trace.
std::vector<std::string> lacks_of(const CompileContext& context, const Found& found);

// `locations`: by rank.
std::vector<std::string> remarks_of(const archive::Definitions& definitions, std::span<const std::uint32_t> locations,
                                    const Found& found);

}  // namespace plumbline::replay
