#pragma once
// The definitions of an archive, in the order and with the conventions of Score-P.

#include <otf2/otf2.h>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

// Number in the file of Definitions::groups[0]; the others follow. Number 0 has the group of the ranks' locations.
inline constexpr std::uint32_t kFirstGroup = 1;

// `events[i]`: number of events written for definitions.locations[i]. Returns the first failure of OTF2.
OTF2_ErrorCode write_definitions(OTF2_GlobalDefWriter* writer, const Definitions& definitions,
                                 const std::vector<std::uint64_t>& events);

}  // namespace plumbline::archive
