#pragma once
// The bytes of a pyramid: for each source, rank by rank, the nodes of the tree and then the stored strips. Their places
// follow from the numbers of operations alone.

#include <cstddef>
#include <cstdint>
#include <span>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Everything but the trees and strips: a pyramid of the observed and, where there is one, the reference run.
Pyramid plan_pyramid(const Runs& runs, const PyramidOptions& options);

// Of one source.
std::uint64_t bytes_of(const Pyramid& pyramid, const PyramidSource& source);

// Lets trees and strips of the source lie in `bytes`, as many as bytes_of() and aligned to 8.
void lay_out(const Pyramid& pyramid, PyramidSource& source, std::span<const std::byte> bytes);

// Fills them, by so many threads; the same bytes that the source was laid out in.
void fill(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, std::uint32_t jobs,
          std::span<std::byte> bytes);

}  // namespace plumbline::viewer
