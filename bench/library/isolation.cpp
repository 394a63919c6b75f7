#include "bench/library/isolation.hpp"

#include <algorithm>
#include <vector>

namespace plumbline::bench {
namespace {

constexpr int kIsolationTag = 2;
constexpr int kTold = 20;                 // broadcasts that are timed
constexpr std::int64_t kTimesAsLong = 3;  // as the median one, a round is told ahead: most ranks are in time then

}  // namespace

void dissemination_barrier(MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  for (int distance = 1; distance < size; distance *= 2) {
    must(MPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank + distance) % size, kIsolationTag, nullptr, 0, MPI_BYTE,
                      (rank - distance + size) % size, kIsolationTag, comm, MPI_STATUS_IGNORE));
  }
}

Isolation::Isolation(MPI_Comm comm, plumbline_isolation kind, const SharedClock* clock)
    : comm_(comm), kind_(kind), clock_(clock), rank_(rank_in(comm)) {
  if (kind_ == PLUMBLINE_ISOLATION_ROUND_TIME) find_out_round_time();
}

// How long it takes until all have heard of something, on the shared clock.
void Isolation::find_out_round_time() {
  std::vector<std::int64_t> times;
  for (int i = 0; i < kTold; ++i) {
    dissemination_barrier(comm_);
    std::int64_t begin = clock_->now();
    must(MPI_Bcast(&begin, 1, MPI_INT64_T, 0, comm_));
    std::int64_t took = clock_->now() - begin;
    must(MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_INT64_T, MPI_MAX, comm_));
    times.push_back(took);
  }
  std::nth_element(times.begin(), times.begin() + kTold / 2, times.end());
  ahead_ns_ = std::max<std::int64_t>(kTimesAsLong * times[kTold / 2], 1000);
}

void Isolation::begin_batch(std::int64_t window_ns) {
  if (kind_ != PLUMBLINE_ISOLATION_WINDOW) return;
  window_ns_ = window_ns;
  next_ns_ = clock_->now() + window_ns;
  must(MPI_Bcast(&next_ns_, 1, MPI_INT64_T, 0, comm_));
}

std::uint8_t Isolation::await() {
  switch (kind_) {
    case PLUMBLINE_ISOLATION_BARRIER:
      must(MPI_Barrier(comm_));
      return 0;
    case PLUMBLINE_ISOLATION_TWO_BARRIERS:
      must(MPI_Barrier(comm_));
      must(MPI_Barrier(comm_));
      return 0;
    case PLUMBLINE_ISOLATION_DISSEMINATION:
      dissemination_barrier(comm_);
      return 0;
    case PLUMBLINE_ISOLATION_WINDOW:
      next_ns_ += window_ns_;
      return await_time(next_ns_ - window_ns_);
    case PLUMBLINE_ISOLATION_ROUND_TIME: {
      dissemination_barrier(comm_);
      std::int64_t begin = clock_->now() + ahead_ns_;
      must(MPI_Bcast(&begin, 1, MPI_INT64_T, 0, comm_));
      return await_time(begin);
    }
  }
  return 0;
}

std::optional<std::int64_t> Isolation::deadline() const {
  if (kind_ == PLUMBLINE_ISOLATION_WINDOW) return next_ns_;
  return std::nullopt;
}

std::uint8_t Isolation::await_time(std::int64_t shared) const {
  const std::int64_t until = clock_->own(shared);
  if (now_ns() > until) return PLUMBLINE_STARTED_LATE;
  while (now_ns() < until) {
  }
  return 0;
}

}  // namespace plumbline::bench
