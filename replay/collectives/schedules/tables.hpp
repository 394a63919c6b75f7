#pragma once
// What the libraries choose, with their default settings, for a call on an intra-communicator.

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

// coll/tuned's fixed decision of 4.1.4, and what really runs for it (effective()); coll/basic where tuned is empty;
// coll/self ("self", no messages) for one rank. Non-blocking calls: coll/libnbc.
Algorithm openmpi_choice(const Call& call);

// The compositions of device ch4 and, where they take the communicator as a whole, the generic selection tree of 4.0.2.
// MPICH takes every communicator with two ranks on one node for a hierarchy, one that is on one node only as well.
Algorithm mpich_choice(const Call& call);

// The generic tree alone: for a communicator of nodes or of node leaders, inside a composition.
Algorithm mpich_flat_choice(const Call& call);

// The size that coll/tuned compares with its thresholds, in bytes; 0 for operations where it compares none.
std::uint64_t openmpi_compared_bytes(const Call& call);

// PIOsimHD's set "MPICH2". Throws Error for operations that it does not have.
Algorithm piosimhd_choice(const Call& call);

// By the name of the library. Throws Error for an unknown one.
Algorithm choice_of(std::string_view library, const Call& call);

}  // namespace plumbline::replay::collectives::schedules
