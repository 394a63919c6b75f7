#pragma once
// Every algorithm with which Open MPI 4.1.4 and MPICH 4.0.2 run their collectives, blocking and not, on
// intra-communicators, and those of PIOsimHD, as pure functions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

// "openmpi bcast chain (fan-out 4)"
std::string to_string(const Algorithm& algorithm);

// All that the library has for the operation, with the parameters that it uses by default; chain in both of Open MPI's
// defaults, 1 where the library chooses it and 4 where a user does. Empty for an unknown library.
std::vector<Algorithm> algorithms_for(std::string_view library, Operation operation);

// The algorithm that runs when `asked` is asked for: itself, or what it gives the call to when it cannot run it (Open
// MPI's rabenseifner with fewer elements than ranks becomes linear). Throws Error where the library would fail.
Algorithm effective(const Algorithm& asked, const Call& call);

// Whether a user who writes `name` means it: MPICH's "sched_binomial" is called "binomial" too.
bool is_called(const Algorithm& algorithm, std::string_view name);

// A non-blocking call can be run by the algorithms of its blocking form too, which no library does. The call that such
// an algorithm runs; of others the call itself.
Call call_for(const Algorithm& algorithm, const Call& call);

// What `rank` posts. Runs effective(algorithm, call). Throws Error where the algorithm cannot run this call, or where
// the call contradicts itself.
Schedule schedule_of(const Algorithm& algorithm, const Call& call, std::uint32_t rank);

// For algorithms with long schedules whose rounds do not build on each other (rings, pairwise exchanges, linear
// alltoall); none for the others. Together the rounds that are not empty are schedule_of().
RoundFunction rounds_of(const Algorithm& algorithm);

// Whether the call has no messages at all, whatever the algorithm does with larger ones.
bool is_empty(const Algorithm& algorithm, const Call& call);

}  // namespace plumbline::replay::collectives::schedules
