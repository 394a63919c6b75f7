#include "bench/ranks/storage/timed_calls.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "bench/stopping.hpp"

namespace plumbline::bench {
namespace {

StopRule rule_of(const Effort& effort) {
  const bool student = effort.stop == "Student" || effort.stop == "student";
  const StopBy by = effort.stop == "count" ? StopBy::kCount : student ? StopBy::kStudent : StopBy::kMedian;
  return {by, effort.least, std::max(effort.least, effort.most), effort.confidence, effort.precision};
}

class Timer {
 public:
  Timer(MPI_Comm comm, std::span<const TimedCall> calls, const Effort& effort)
      : comm_(comm),
        calls_(calls),
        effort_(effort),
        rule_(rule_of(effort)),
        ranks_(static_cast<std::size_t>(size_of(comm))),
        mine_(calls.size()),
        all_(calls.size()) {}

  std::vector<CallTimes> run() {
    for (std::uint32_t i = 0; i < effort_.warm_up; ++i) repeat(false);
    const std::int64_t begin = now_ns();
    const auto budget = static_cast<std::int64_t>(effort_.budget_s * 1e9);
    std::size_t enough = std::max(1U, rule_.least);
    do {
      while (mine_.front().size() < enough && goes_on(begin + budget)) repeat(true);
      gather();
      enough = std::min<std::size_t>(rule_.most, enough + (enough + 1) / 2);
    } while (goes_on(begin + budget) && !decided());
    if (failure_) throw *failure_;
    return somebody_failed_ ? std::vector<CallTimes>{} : std::move(all_);
  }

 private:
  // A call that failed is not tried again, but the rank goes on to meet the others.
  void guarded(const std::function<void()>& part) {
    if (failure_ || !part) return;
    try {
      part();
    } catch (const Error& error) {
      failure_ = error;
    }
  }

  void repeat(bool counts) {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      guarded(calls_[i].prepare);
      must(MPI_Barrier(comm_));
      const std::int64_t begin = now_ns();
      guarded(calls_[i].execute);
      const std::int64_t end = now_ns();
      if (counts) mine_[i].push_back(static_cast<double>(end - begin) * 1e-9);
    }
  }

  // Whether there is time left and nobody has failed; the same on all ranks.
  bool goes_on(std::int64_t end) {
    const bool late = effort_.budget_s > 0 && now_ns() > end && !mine_.front().empty();
    int over[2] = {late ? 1 : 0, failure_ ? 1 : 0};
    must(MPI_Allreduce(MPI_IN_PLACE, over, 2, MPI_INT, MPI_MAX, comm_));
    somebody_failed_ = over[1] == 1;
    return over[0] == 0 && !somebody_failed_;
  }

  void gather() {
    const std::size_t known = gathered_;
    gathered_ = mine_.front().size();
    const auto count = static_cast<int>(gathered_ - known);
    std::vector<double> received(static_cast<std::size_t>(count) * ranks_);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      must(MPI_Gather(mine_[i].data() + known, count, MPI_DOUBLE, received.data(), count, MPI_DOUBLE, 0, comm_));
      if (rank_in(comm_) == 0) append(received, static_cast<std::size_t>(count), all_[i]);
    }
  }

  void append(const std::vector<double>& received, std::size_t count, CallTimes& to) const {
    for (std::size_t k = 0; k < count; ++k) {
      double slowest = 0;
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        to.of_ranks.push_back(received[rank * count + k]);
        slowest = std::max(slowest, to.of_ranks.back());
      }
      to.seconds.push_back(slowest);
    }
  }

  bool decided() {
    int enough = 1;
    for (CallTimes& times : all_) {
      const Assessment assessment = assess(times.seconds, rule_);
      times.reached = assessment.reached;
      if (!assessment.enough) enough = 0;
    }
    must(MPI_Bcast(&enough, 1, MPI_INT, 0, comm_));
    return enough == 1;
  }

  MPI_Comm comm_;
  std::span<const TimedCall> calls_;
  const Effort& effort_;
  StopRule rule_;
  std::size_t ranks_;
  std::vector<std::vector<double>> mine_;  // [calls][repetitions]
  std::vector<CallTimes> all_;
  std::size_t gathered_ = 0;
  std::optional<Error> failure_;
  bool somebody_failed_ = false;
};

}  // namespace

std::vector<CallTimes> time_calls(MPI_Comm comm, std::span<const TimedCall> calls, const Effort& effort) {
  return calls.empty() ? std::vector<CallTimes>{} : Timer(comm, calls, effort).run();
}

void describe_timing(const Effort& effort, const CallTimes& times, bool keep_ranks, Cell& cell) {
  cell.timing = "max";
  cell.isolation = "barrier";
  cell.stop = effort.stop;
  cell.reached = times.reached;
  cell.seconds = times.seconds;
  cell.flags.assign(times.seconds.size(), 0);
  if (keep_ranks) cell.of_ranks = times.of_ranks;
}

}  // namespace plumbline::bench
