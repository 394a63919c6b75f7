#pragma once
// Non-blocking collectives in what the libraries choose and run: what the tables (tables.hpp) and the catalogue
// (algorithms.hpp) ask for calls of that kind.

#include <string_view>

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

// coll/libnbc of Open MPI 4.1.4, by default.
Algorithm libnbc_choice(const Call& call);

// What libnbc runs when it is told to use `asked`. Throws Error where it could not.
Algorithm libnbc_effective(const Algorithm& asked, const Call& call);

// The generic selection tree of MPICH 4.0.2; device ch4 has no compositions for these.
std::string_view mpich_non_blocking_name(const Call& call);

// Whether several ranks send nothing at all, not even empty messages.
bool libnbc_is_empty(const Call& call);
bool sched_is_empty(const Algorithm& algorithm, const Call& call);

}  // namespace plumbline::replay::collectives::schedules
