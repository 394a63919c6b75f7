#pragma once
// What a pyramid tells of a range of time.

#include <cstdint>

#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

const PyramidSource* find_source(const Pyramid& pyramid, unsigned number);  // null: there is none

Strip strip_of(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
               unsigned level, std::uint32_t x);

RangeSummary summary_of(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t rank,
                        TimeRange range);

}  // namespace plumbline::viewer
