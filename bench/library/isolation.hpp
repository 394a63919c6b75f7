#pragma once
// What lies between two repetitions, so that none begins while another is under way.

#include <cstdint>
#include <optional>

#include "bench/library/mpi_calls.hpp"
#include "bench/library/plumbline/bench.h"
#include "bench/library/shared_clock.hpp"

namespace plumbline::bench {

// In ceil(log2 p) rounds every rank hears, over others, of every other: nobody leaves before all have come (Hensgen,
// Finkel, Manber, 1988).
void dissemination_barrier(MPI_Comm comm);

class Isolation {
 public:
  // `clock`: for windows and round times, else null.
  Isolation(MPI_Comm comm, plumbline_isolation kind, const SharedClock* clock);

  static bool needs_clock(plumbline_isolation kind) {
    return kind == PLUMBLINE_ISOLATION_WINDOW || kind == PLUMBLINE_ISOLATION_ROUND_TIME;
  }

  // Collective: before a batch of repetitions, which begin a while from now. `window_ns`: of windows.
  void begin_batch(std::int64_t window_ns);

  // Collective: returns when the next repetition may begin; PLUMBLINE_STARTED_LATE or 0.
  std::uint8_t await();

  // By the shared clock, when the one begun by the last await() must be over; none where nothing says so.
  std::optional<std::int64_t> deadline() const;

 private:
  std::uint8_t await_time(std::int64_t shared) const;
  void find_out_round_time();

  MPI_Comm comm_;
  plumbline_isolation kind_;
  const SharedClock* clock_;
  int rank_;
  std::int64_t window_ns_ = 0, next_ns_ = 0;  // by the shared clock
  std::int64_t ahead_ns_ = 0;                 // of a round: what telling its time takes
};

}  // namespace plumbline::bench
