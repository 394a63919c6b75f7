#pragma once
// Sends to a receiver that is not there yet: what tells an eager send from one that waits.

#include "bench/ranks/network/rank_pair.hpp"

namespace plumbline::bench::network {

// Where the receiver is meanwhile: in calls of MPI that are about something else, or in none. Some sends end only when
// the receiver's library looks at the message, though no receive is needed: that is not a rendezvous.
enum class Absence { kInCalls, kAway };

// How late the receiver must be, so that a send that waits for it takes longer than one that does not: beyond `least`,
// four round trips of a byte, and two of such messages. On both.
double lateness(RankPair& pair_of_ranks, std::uint64_t bytes, double least);

// Durations of the send, on the leader.
Samples sends_to_absent(RankPair& pair_of_ranks, std::uint64_t bytes, Absence absence, double late,
                        const Effort& effort);

// The median is beyond half of it; on both.
bool waits(const RankPair& pair_of_ranks, const Samples& sends, double late);

inline constexpr std::uint32_t kAskedOften = 7;  // so that a lost time slice does not decide

}  // namespace plumbline::bench::network
