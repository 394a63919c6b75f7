#pragma once
// What the families of algorithms (broadcast.cpp, reduce.cpp, ..) hand to the catalogue (algorithms.cpp).

#include <span>

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

// What `rank` posts in this very algorithm: neither what would run instead, nor whether the MPI function has anything
// to do, is looked at.
Schedule run(const Algorithm& algorithm, const Call& call, std::uint32_t rank);

// An algorithm with its default parameters, and what a rank does in it. `run` is called only for calls that pass
// check() and that effective() leaves to this algorithm; its Algorithm carries the parameters asked for.
//
// Where every rank has as many rounds as there are ranks, `round` takes the place of `run`: it writes what the rank
// posts in its index-th round, which may be nothing; false behind the last one. So nobody need hold the whole schedule.
struct Entry {
  Algorithm algorithm;
  Schedule (*run)(const Algorithm& algorithm, const Call& call, std::uint32_t rank) = nullptr;
  RoundFunction round = nullptr;
};

// Into a round, for functions that write one.
inline void post_receive(Round& round, std::uint32_t from, std::uint64_t bytes, bool combines = false) {
  round.posted.push_back({false, from, bytes, false, combines});
}
inline void post_send(Round& round, std::uint32_t to, std::uint64_t bytes) {
  round.posted.push_back({true, to, bytes});
}

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
std::span<const Entry> piosimhd_entries();
// Of Open MPI's non-blocking collectives, those that no blocking one shares; all others stand with the blocking ones.
std::span<const Entry> libnbc_tree_entries();
std::span<const Entry> libnbc_linear_entries();

// Throws Error where an algorithm of PIOsimHD cannot run the call.
void check_piosimhd(const Algorithm& asked, const Call& call);

}  // namespace plumbline::replay::collectives::schedules
