#pragma once
// Who waits for whom in an end state, and whether anybody can still go on. Certain or not at all: what a rank that
// computes, is in a file call, or has a further thread outside of MPI will do is not known, so nobody who can be helped
// by it is called stuck; a standard send among other requests may be buffered, so it alone makes nobody stuck.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tracer/record/end_state/end_state.hpp"

namespace plumbline::record {

// One reason why a thread cannot go on: each of these ranks, or one of them, has to do something first.
struct Condition {
  std::vector<std::uint32_t> ranks;
  bool one_is_enough = false;
};

// A need of a call in flight, held against what the other ranks have done.
struct Judged {
  Need need;
  bool is_met = false;                 // it has been done: the message is there or under way, all are in the collective
  std::vector<Condition> conditions;   // else
  std::vector<std::uint32_t> missing;  // of a collective: who has not come to it
};

struct ThreadWait {
  std::uint32_t rank = 0;
  std::size_t thread = 0;  // index into RankState::threads
  std::vector<Judged> needs;
  bool any = false;
  bool waits_for_ranks = false;  // and for nothing else
};

// A collective with the same number, and who is in it.
struct Meeting {
  Collective collective;
  std::string comm;
  std::map<std::string, std::vector<std::uint32_t>> inside;  // by function: more than one is a mistake
  std::vector<std::uint32_t> missing;
};

struct WaitGraph {
  std::vector<ThreadWait> threads;                  // in flight, by rank
  std::vector<Meeting> meetings;                    // to which somebody has not come, or with different functions
  std::vector<std::vector<std::uint32_t>> circles;  // each rank waits for the next, the last for the first
  std::set<std::uint32_t> stuck;                    // ranks that nobody can help any more
  std::set<std::uint32_t> ended;
  std::map<Channel, std::uint64_t> unreceived;  // messages that nobody has posted a receive for
};

WaitGraph wait_graph(const EndState& end_state);

// For people; some lines, each ended.
std::string waiting_text(const EndState& end_state);

// "rank 3", "ranks 0, 2-5".
std::string ranks_text(const std::vector<std::uint32_t>& ranks);

}  // namespace plumbline::record
