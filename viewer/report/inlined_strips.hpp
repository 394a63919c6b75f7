#pragma once
// The strips of a file: whole levels of all lanes, then what can be drawn one by one around single operations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "viewer/index/runs/operation_id.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {

struct InlinedStrips {
  std::vector<std::string> batches;
  unsigned levels = 0;                // so many levels, from 0, are there of all lanes
  std::size_t operations_around = 0;  // of the operations, those whose surroundings are there
};

// `lanes`: that are shown. `operations`: the worst first; around the first `with_neighbours` of them also what the
// other ranks did, where they are few.
InlinedStrips inlined_strips(Opened& opened, const std::vector<std::uint32_t>& lanes,
                             std::span<const OperationId> operations, std::size_t with_neighbours,
                             std::size_t most_bytes);

}  // namespace plumbline::viewer
