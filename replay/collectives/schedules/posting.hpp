#pragma once
// Non-blocking collectives that post the messages of a blocking algorithm in their own way.

#include <algorithm>

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

// libnbc of Open MPI and MPICH's `sched` write an exchange as a send and a receive; blocking calls of both libraries
// receive first.
inline void put_sends_first(Round& round) {
  std::ranges::stable_partition(round.posted, [](const Transfer& transfer) { return transfer.send; });
}

template <auto kRun>
Schedule sends_first(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  Schedule schedule = kRun(algorithm, call, rank);
  for (Round& round : schedule) put_sends_first(round);
  return schedule;
}

template <RoundFunction kRound>
bool sends_first_in_round(const Algorithm& algorithm, const Call& call, std::uint32_t rank, std::uint32_t index,
                          Round& round) {
  const bool more = kRound(algorithm, call, rank, index, round);
  put_sends_first(round);
  return more;
}

// libnbc's first round is a copy inside of the rank (NBC_Sched_copy with a barrier behind it): no message is posted in
// the call itself.
template <auto kRun>
Schedule begins_later(const Algorithm& algorithm, const Call& call, std::uint32_t rank) {
  Schedule schedule = kRun(algorithm, call, rank);
  if (!schedule.empty()) schedule.insert(schedule.begin(), Round{});
  return schedule;
}

}  // namespace plumbline::replay::collectives::schedules
