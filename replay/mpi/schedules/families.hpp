#pragma once
// What the families of algorithms (broadcast.cpp, reduce.cpp, ..) hand to the catalogue (algorithms.cpp).

#include <span>

#include "replay/mpi/schedules/algorithms.hpp"

namespace plumbline::replay::mpi::schedules {

// What `rank` posts in this very algorithm: neither what would run instead, nor whether the MPI function has anything
// to do, is looked at.
Schedule run(const Algorithm& algorithm, const Call& call, std::uint32_t rank);

// An algorithm with its default parameters, and what a rank does in it. `run` is called only for calls that pass
// check() and that effective() leaves to this algorithm; its Algorithm carries the parameters asked for.
struct Entry {
  Algorithm algorithm;
  Schedule (*run)(const Algorithm& algorithm, const Call& call, std::uint32_t rank);
};

std::span<const Entry> barrier_entries();
std::span<const Entry> broadcast_entries();
std::span<const Entry> reduce_entries();
std::span<const Entry> allreduce_entries();
std::span<const Entry> gather_scatter_entries();
std::span<const Entry> allgather_entries();
std::span<const Entry> alltoall_entries();
std::span<const Entry> reduce_scatter_entries();
std::span<const Entry> scan_entries();
std::span<const Entry> composition_entries();

}  // namespace plumbline::replay::mpi::schedules
