#pragma once
// Who goes on with a transfer that has begun, from how well it overlaps with computation.

#include <string>
#include <vector>

#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// What a transfer, a computation, and both at once took; with calls of MPI_Test in between in `tested`. ns; 0: missing.
struct Overlap {
  double alone = 0, computing = 0, together = 0, tested = 0;
};

// (alone + computing - together) / min(alone, computing): 1 where the shorter one is hidden whole, 0 where nothing is.
double hidden(double alone, double computing, double together);

// In calls, unless half of it is hidden; then by a thread where both together took longer than the longer one by a
// tenth and more (its CPU), else by hardware.
Progress progress_of(const Overlap& overlap);

// Of the largest messages of the pairs of a kind: the calls of smaller ones may do it all. Says in `notes` what it
// stands on, or that it is not known.
Progress fit_progress(const Structure& structure, const Observations& observations, PairKind kind,
                      std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
