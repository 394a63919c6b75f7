#pragma once
// Whether each rank of a node can have a processor of its own within the masks that it is bound to.

#include <cstdint>
#include <vector>

namespace plumbline::replay::validate {

struct Crowd {
  std::vector<std::size_t> ranks;         // as in `masks`, ascending; empty: each rank has a processor
  std::vector<std::uint32_t> processors;  // all that these ranks may run on, ascending: fewer than ranks
};

// `masks`: of each rank its processors, ascending. A rank without any is left out. By Hall's theorem there is a crowd
// exactly where not all can be placed.
Crowd find_crowd(const std::vector<std::vector<std::uint32_t>>& masks);

}  // namespace plumbline::replay::validate
