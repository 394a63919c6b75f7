#pragma once
// How much of an operation that does not block goes on while its ranks compute.

#include <functional>
#include <string_view>
#include <vector>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

inline constexpr FamilyParameter kTests = {"tests", "calls of MPI_Test while computing, at equal distances", "0"};
inline constexpr FamilyParameter kCompute = {"compute", "time of computing, over the time of the operation alone", "1"};

inline constexpr char kAlone[] = "alone", kTogether[] = "together";
inline constexpr std::string_view kPhasesOfOverlap[] = {kAlone, kPhaseOfComputing, kTogether};

// Begins the operation; errors as MPI has them. Does not throw.
using StartOperation = std::function<int(MPI_Request* request)>;

// Three cells, told apart by the word "phase": "alone" (begun and waited for), "compute" (what is to be computed,
// alone), "together" (begun, computed, waited for), which has the number "overlap_percent" from their medians:
//   100 (alone + compute - together) / min(alone, compute), not below 0 or above 100
// (IMB-NBC; Intel MPI Benchmarks User Guide, "Measuring communication and computation overlap"). The number
// "compute_s" is what was to be computed. Answers the median of "alone", on rank 0. Collective over comm, which has
// rank 0 of the world first.
double measure_overlap(const Context& context, MPI_Comm comm, const Request& request, const Cell& named,
                       const StartOperation& start);

// As above, from the medians.
double overlap_percent(double alone, double compute, double together);

}  // namespace plumbline::bench
