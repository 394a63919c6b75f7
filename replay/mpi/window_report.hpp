#pragma once
// Why a call on a window does not end.

#include <vector>

#include "replay/mpi/windows.hpp"

namespace plumbline::replay::mpi::rma {

// For reports: what the call in hand of a rank still waits for.
std::vector<Missing> missing(const Windows& windows, std::uint32_t rank);

}  // namespace plumbline::replay::mpi::rma
