#include "bench/library/repetitions.hpp"

#include <algorithm>

#include "base/statistics/order.hpp"

namespace plumbline::bench {
namespace {

constexpr int kTag = 3;
constexpr int kTimed = 30;  // barriers, and acknowledgements of each rank

double seconds(double ns) { return ns * 1e-9; }

}  // namespace

Repetitions::Repetitions(MPI_Comm comm, MPI_Comm programs, const plumbline_operation& operation,
                         const plumbline_settings& settings, SharedClock* clock)
    : comm_(comm),
      programs_(programs),
      operation_(operation),
      settings_(settings),
      clock_(clock),
      isolation_(comm, settings.isolation, clock),
      rank_(rank_in(comm)),
      size_(size_of(comm)) {
  if (settings_.timing == PLUMBLINE_TIMING_ROOT) measure_barrier();
  if (settings_.timing == PLUMBLINE_TIMING_ACKNOWLEDGED) measure_acknowledgements();
}

// One by one, between others: in a loop of them one begins while the last is under way.
void Repetitions::measure_barrier() {
  std::vector<double> times;
  for (int i = 0; i < kTimed; ++i) {
    dissemination_barrier(comm_);
    const std::int64_t begin = now_ns();
    must(MPI_Barrier(comm_));
    times.push_back(static_cast<double>(now_ns() - begin));
  }
  confirmation_ns_ = statistics::median(times);
  must(MPI_Bcast(&confirmation_ns_, 1, MPI_DOUBLE, settings_.root, comm_));
}

// Half of the way to a rank and back.
void Repetitions::measure_acknowledgements() {
  acknowledged_ns_.assign(static_cast<std::size_t>(size_), 0);
  for (int other = 0; other < size_; ++other) {
    if (other == settings_.root) continue;
    std::vector<double> trips;
    for (int i = 0; i < kTimed; ++i) {
      if (rank_ == settings_.root) {
        const std::int64_t begin = now_ns();
        must(MPI_Send(nullptr, 0, MPI_BYTE, other, kTag, comm_));
        must(MPI_Recv(nullptr, 0, MPI_BYTE, other, kTag, comm_, MPI_STATUS_IGNORE));
        trips.push_back(static_cast<double>(now_ns() - begin));
      } else if (rank_ == other) {
        must(MPI_Recv(nullptr, 0, MPI_BYTE, settings_.root, kTag, comm_, MPI_STATUS_IGNORE));
        must(MPI_Send(nullptr, 0, MPI_BYTE, settings_.root, kTag, comm_));
      }
    }
    if (rank_ == settings_.root) acknowledged_ns_[static_cast<std::size_t>(other)] = statistics::median(trips) / 2;
  }
}

void Repetitions::execute() {
  const int code = operation_.execute(operation_.state, programs_);
  if (failure_ == MPI_SUCCESS) failure_ = code;
}

Stamps Repetitions::once() {
  Stamps stamps;
  stamps.flags = isolation_.await();
  stamps.begin = now_ns();
  execute();
  if (settings_.timing == PLUMBLINE_TIMING_ROOT) must(MPI_Barrier(comm_));
  stamps.end = now_ns();
  return stamps;
}

Times Repetitions::run(std::uint32_t count, std::int64_t window_ns) {
  isolation_.begin_batch(window_ns);
  if (settings_.timing == PLUMBLINE_TIMING_ACKNOWLEDGED) return run_acknowledged(count);
  own_.resize(count);
  deadlines_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    own_[i] = once();
    deadlines_[i] = isolation_.deadline().value_or(INT64_MAX);
  }
  if (clock_ != nullptr) {
    clock_->synchronise();
    for (std::uint32_t i = 0; i < count; ++i) {
      own_[i].begin = clock_->shared(own_[i].begin);
      own_[i].end = clock_->shared(own_[i].end);
      if (own_[i].end > deadlines_[i]) own_[i].flags |= PLUMBLINE_TOO_LONG;
    }
  }
  constexpr int kNumbers = sizeof(Stamps) / sizeof(std::int64_t);
  const auto ranks = static_cast<std::size_t>(size_);
  all_.resize(rank_ == 0 ? ranks * count : 0);
  must(MPI_Gather(own_.data(), static_cast<int>(count) * kNumbers, MPI_INT64_T, all_.data(),
                  static_cast<int>(count) * kNumbers, MPI_INT64_T, 0, comm_));
  Times times;
  if (rank_ == 0) {
    times.seconds.reserve(count);
    times.flags.reserve(count);
    times.of_ranks.reserve(ranks * count);
  }
  std::vector<Stamps> of_ranks(ranks);
  for (std::uint32_t i = 0; i < count && rank_ == 0; ++i) {
    std::int64_t flags = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      of_ranks[r] = all_[r * count + i];
      flags |= of_ranks[r].flags;
      times.of_ranks.push_back(seconds(static_cast<double>(of_ranks[r].end - of_ranks[r].begin)));
    }
    const double time = time_of(of_ranks);
    times.seconds.push_back(time);
    times.flags.push_back(static_cast<std::uint8_t>(flags | (time < 0 ? PLUMBLINE_NEGATIVE : 0)));
  }
  return times;
}

double Repetitions::time_of(std::span<const Stamps> ranks) const {
  const Stamps& root = ranks[static_cast<std::size_t>(settings_.root)];
  if (settings_.timing == PLUMBLINE_TIMING_ROOT)
    return seconds(static_cast<double>(root.end - root.begin) - confirmation_ns_);
  std::int64_t longest = 0, begin = INT64_MAX, end = INT64_MIN;
  for (const Stamps& rank : ranks) {
    longest = std::max(longest, rank.end - rank.begin);
    begin = std::min(begin, rank.begin);
    end = std::max(end, rank.end);
  }
  return seconds(static_cast<double>(settings_.timing == PLUMBLINE_TIMING_GLOBAL ? end - begin : longest));
}

// A repetition is one execution for each rank but the root, which it waits for (de Supinski, Karonis, "Accurately
// measuring MPI broadcasts in a computational grid", 1999; Lastovetsky et al., MPIBlib, 2008).
Times Repetitions::run_acknowledged(std::uint32_t count) {
  Times times;
  const auto ranks = static_cast<std::size_t>(size_);
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<double> until(ranks);
    std::int64_t flags = 0;
    for (int other = 0; other < size_; ++other) {
      if (other == settings_.root) continue;
      flags |= isolation_.await();
      const std::int64_t begin = now_ns();
      execute();
      if (rank_ == other) must(MPI_Send(nullptr, 0, MPI_BYTE, settings_.root, kTag, comm_));
      if (rank_ != settings_.root) continue;
      must(MPI_Recv(nullptr, 0, MPI_BYTE, other, kTag, comm_, MPI_STATUS_IGNORE));
      const auto at = static_cast<std::size_t>(other);
      until[at] = seconds(static_cast<double>(now_ns() - begin) - acknowledged_ns_[at]);
    }
    if (settings_.root != 0) {
      if (rank_ == settings_.root) must(MPI_Send(until.data(), size_, MPI_DOUBLE, 0, kTag, comm_));
      if (rank_ == 0) must(MPI_Recv(until.data(), size_, MPI_DOUBLE, settings_.root, kTag, comm_, MPI_STATUS_IGNORE));
    }
    std::int64_t any = 0;
    must(MPI_Reduce(&flags, &any, 1, MPI_INT64_T, MPI_BOR, 0, comm_));
    if (rank_ != 0) continue;
    const double time = *std::max_element(until.begin(), until.end());
    times.seconds.push_back(time);
    times.flags.push_back(static_cast<std::uint8_t>(any | (time <= 0 && size_ > 1 ? PLUMBLINE_NEGATIVE : 0)));
    times.of_ranks.insert(times.of_ranks.end(), until.begin(), until.end());
  }
  return times;
}

}  // namespace plumbline::bench
