#pragma once
// Two ranks that measure together: the first one leads, and both do the same calls in the same order.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/library/mpi_calls.hpp"
#include "bench/ranks/network/rounds.hpp"
#include "bench/results/plan.hpp"

namespace plumbline::bench::network {

// What one reading of the clock takes, ns: the median of many, found once.
std::int64_t clock_cost_ns();

// Without the reading that ended it; not below 0.
std::int64_t since_ns(std::int64_t begin_ns);

// Never sleeps: a sleep costs a time slice on a loaded machine. But for its end it lets others have the core, for what
// it waits for may need that one. Answers how much longer it took than asked.
std::int64_t spin(std::int64_t ns);

class RankPair {
 public:
  // For one of the two ranks of `pair`, of comm, with messages of up to `largest` bytes. Throws Error for more than MPI
  // counts.
  RankPair(MPI_Comm comm, const Pair& pair, std::uint64_t largest);

  bool leads() const { return leads_; }
  void send(std::uint64_t bytes);
  void receive(std::uint64_t bytes);
  MPI_Request isend(std::uint64_t bytes);
  MPI_Request irecv(std::uint64_t bytes);

  // Looks for messages that nobody sends: in MPI, but not in a receive.
  void be_in_calls_for(std::int64_t ns) const;

  // Until a message has come in, in MPI; it is still to be received.
  void find() const;

  // There and back, on the leader; the other one's time means nothing.
  double round_trip(std::uint64_t bytes);

  // The same between ranks that have waited for it: each is in calls for so long before it sends, so the other one has
  // waited for as long and longer. What it was in calls for is not in the time.
  double round_trip_waited_for(std::uint64_t bytes, std::int64_t ns);

  // What the leader has, on both.
  template <class T>
  T told(T value) const {
    exchange(&value, sizeof value, leads_);
    return value;
  }
  // What the other one has, on both.
  template <class T>
  T reported(T value) const {
    exchange(&value, sizeof value, !leads_);
    return value;
  }

 private:
  void exchange(void* data, std::size_t bytes, bool sends) const;

  MPI_Comm comm_;
  bool leads_;
  int other_;
  std::vector<char> out_, in_;
};

// One repetition: the leader's seconds, and those of the other one where it measured too (and reported them).
struct Once {
  double seconds = 0, others = 0;
};

struct Samples {
  std::vector<double> seconds, others;  // on the leader
  bool reached = false;                 // the precision
};

// Both call. The leader decides by the rule of the effort when there are enough; behind its budget no more than six are
// made, below which nothing is known of the median. What follows a decision at once, when it is short, does not count.
Samples repeat(const RankPair& pair_of_ranks, const Effort& effort, const std::function<Once()>& once);

// The least of a few round trips: how long to wait, on both.
double typical_trip(RankPair& pair_of_ranks, std::uint64_t bytes);

}  // namespace plumbline::bench::network
