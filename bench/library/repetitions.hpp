#pragma once
// A batch of repetitions: what each rank sees of them, and what time each took by the methods of plumbline_timing.

#include <cstdint>
#include <span>
#include <vector>

#include "bench/library/isolation.hpp"

namespace plumbline::bench {

// Of one repetition on one rank; ns.
struct Stamps {
  std::int64_t begin = 0, end = 0;  // by the shared clock where there is one, else by its own
  std::int64_t flags = 0;
};

// Rank 0: of a batch.
struct Times {
  std::vector<double> seconds;
  std::vector<std::uint8_t> flags;
  std::vector<double> of_ranks;  // [repetition][rank]
};

class Repetitions {
 public:
  Repetitions(MPI_Comm comm, MPI_Comm programs, const plumbline_operation& operation,
              const plumbline_settings& settings, SharedClock* clock);

  // Collective. What rank 0 learns of `count` repetitions; empty elsewhere.
  Times run(std::uint32_t count, std::int64_t window_ns);

  // An error of the operation, on this rank: it goes on with the others, so that nobody waits for it.
  int failure() const { return failure_; }

 private:
  Stamps once();
  void execute();
  Times run_acknowledged(std::uint32_t count);
  void measure_barrier();
  void measure_acknowledgements();
  double time_of(std::span<const Stamps> ranks) const;

  MPI_Comm comm_, programs_;
  const plumbline_operation& operation_;
  const plumbline_settings& settings_;
  SharedClock* clock_;
  Isolation isolation_;
  int rank_, size_;
  int failure_ = MPI_SUCCESS;
  // Of a batch; kept, so that the pages are there when the next one begins.
  std::vector<Stamps> own_, all_;  // all_: on rank 0, rank after rank
  std::vector<std::int64_t> deadlines_;
  double confirmation_ns_ = 0;           // of TIMING_ROOT: what a barrier takes on the root
  std::vector<double> acknowledged_ns_;  // of TIMING_ACKNOWLEDGED, on the root: the way from each rank
};

}  // namespace plumbline::bench
