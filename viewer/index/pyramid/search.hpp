#pragma once
// Operations of a range by name: the first, and the worst.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// The operations of a rank that overlap the range, ascending, the first `most` of them.
std::vector<std::uint32_t> operations_in(const PyramidSource& source, std::uint32_t rank, TimeRange range,
                                         std::size_t most);

// The `most` worst of these ranks by own excess beyond the band, worst first; of equal ones by rank and operation.
std::vector<OperationId> worst_in(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source,
                                  std::span<const std::uint32_t> ranks, TimeRange range, std::size_t most);

}  // namespace plumbline::viewer
