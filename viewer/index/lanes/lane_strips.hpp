#pragma once
// Strips of lanes that are not one rank.

#include <cstdint>
#include <span>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Of ranks that are drawn as one, at least one: the kind that keeps most of them busy longest, the worst excess of any,
// the marks of all, the mean of busy, the sum of counts. Where strips are stored these are joined from the bytes of the
// ranks' strips, so that busy and count are rounded twice. Its worst operation is kNone, because it does not tell the
// rank.
// `first` to `last`: strips of that level. fold_strips.hpp keeps those of lanes of very many ranks.
std::vector<Strip> strips_of_ranks(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source,
                                   std::span<const std::uint32_t> ranks, unsigned level, std::uint32_t first,
                                   std::uint32_t last);

// Only busy is told of a component; its time is that of the observed run.
Strip strip_of_component(const Pyramid& pyramid, const ComponentHistory& component, unsigned level, std::uint32_t x);

}  // namespace plumbline::viewer
