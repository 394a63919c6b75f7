#pragma once
// The selected operations of a view in some order, page by page.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "viewer/index/filter/select.hpp"
#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

enum class SortBy : std::uint8_t { kOwn, kInherited, kBegin, kObserved, kBytes };  // greatest first; begin: earliest

struct RankedPage {
  std::uint64_t total = 0;  // selected operations that lie in the range at least in part
  std::vector<OperationId> operations;
};

// Operations first .. first + size - 1 of that order; equal ones by rank and operation.
RankedPage ranked(const Runs& runs, const Selection& selection, TimeRange range, std::span<const std::uint32_t> ranks,
                  SortBy by, std::size_t first, std::size_t size);

}  // namespace plumbline::viewer
