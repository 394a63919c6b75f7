#pragma once
// Calls on windows: a few steps, one after the other.

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// An MPI call, posted: RankState::pending counts it until it is over.
void call(Windows& windows, std::uint32_t rank, const Operation& op);

// Something has changed for a rank of a window at that time: its call, if it is one of this window, may go on.
void settle(Windows& windows, std::uint32_t window, std::uint32_t own, Time at);

// The post of a rank has come: for the access that has begun, or for the next one. The caller settles.
void post_came(Windows& windows, std::uint32_t window, std::uint32_t own, std::uint32_t from);

}  // namespace plumbline::replay::mpi::rma
