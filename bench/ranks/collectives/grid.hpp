#pragma once
// Grids of ranks and what lies near a place in one, without MPI. Shapes as in the benchmark of neighbourhood
// collectives that docs/rules.md takes its guidelines from.

#include <cstdint>
#include <vector>

namespace plumbline::bench {

// Lengths of a grid of these ranks, longest first. Of all the one whose longest and shortest differ least, and of those
// the one whose longest is least: MPI_Dims_create differs between libraries (Träff and Lübbe, "Specification guideline
// violations by MPI_Dims_create", 2015). `ranks` and `dimensions` from 1 on.
std::vector<int> grid_lengths(int ranks, int dimensions);

using Offset = std::vector<int>;  // [dimensions]

// kMoore: all in the cube with edges of 2 radius + 1 places; kVonNeumann: of these all with a sum of distances up to
// radius. The place itself is none of them.
enum class Shape { kMoore, kVonNeumann };

// kFirstMajor: ascending, the first coordinate changes last; kLastMajor: the last one does.
enum class OffsetOrder { kFirstMajor, kLastMajor };

// Without a bound: of d dimensions a Moore shape has (2 radius + 1)^d - 1.
std::vector<Offset> offsets_of(Shape shape, int dimensions, int radius, OffsetOrder order);

// As many as offsets_of() gives for kMoore, or `most` where it would give more than that.
std::uint64_t count_of_moore(int dimensions, int radius, std::uint64_t most);

}  // namespace plumbline::bench
