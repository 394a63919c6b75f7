// plumbline_measure(): batches of repetitions until rank 0 says that there are enough.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "bench/library/repetitions.hpp"
#include "bench/stopping.hpp"

namespace plumbline::bench {
namespace {

constexpr double kFlawed = 0.25;  // of a batch: more of them make the window longer (SKaMPI 5)
constexpr std::uint32_t kFewestInABatch = 4;
constexpr double kRoomInAWindow = 4;     // the first one: so many times the longest repetition so far
constexpr double kLeastWindow_ns = 5e3;  // some reads of the clock and a message

// What rank 0 tells the others behind each batch.
struct Orders {
  std::int64_t next = 0;  // repetitions; 0: it is over
  std::int64_t window_ns = 0;
};

bool is_valid(const plumbline_settings& s, int ranks) {
  const bool known = s.timing >= PLUMBLINE_TIMING_MAX && s.timing <= PLUMBLINE_TIMING_ACKNOWLEDGED &&
                     s.isolation >= PLUMBLINE_ISOLATION_BARRIER && s.isolation <= PLUMBLINE_ISOLATION_ROUND_TIME &&
                     s.stop >= PLUMBLINE_STOP_MEDIAN && s.stop <= PLUMBLINE_STOP_COUNT;
  return known && s.root >= 0 && s.root < ranks && s.least > 0 && s.least <= s.most && s.most <= 10'000'000 &&
         s.confidence > 0 && s.confidence < 1 && s.precision > 0 && s.budget >= 0 && s.window >= 0 && s.clock_limit > 0;
}

StopRule rule_of(const plumbline_settings& s) {
  StopRule rule;
  rule.by = s.stop == PLUMBLINE_STOP_STUDENT ? StopBy::kStudent
            : s.stop == PLUMBLINE_STOP_COUNT ? StopBy::kCount
                                             : StopBy::kMedian;
  rule.least = s.stop == PLUMBLINE_STOP_COUNT ? s.most : s.least;
  rule.most = s.most;
  rule.confidence = s.confidence;
  rule.precision = s.precision;
  return rule;
}

class Measurement {
 public:
  Measurement(MPI_Comm programs, const plumbline_operation& operation, std::size_t bytes,
              const plumbline_settings& settings)
      : programs_(programs), comm_(programs), operation_(operation), bytes_(bytes), settings_(settings) {}

  int run() {
    const int started = agree(
        operation_.initialise != nullptr ? operation_.initialise(operation_.state, programs_, bytes_) : MPI_SUCCESS);
    if (started != MPI_SUCCESS) return started;
    const bool needs_clock = settings_.timing == PLUMBLINE_TIMING_GLOBAL || Isolation::needs_clock(settings_.isolation);
    if (needs_clock) {
      clock_.emplace(MPI_Comm(comm_), settings_.clock_limit * 1e9);
      clock_->synchronise();
    }
    Repetitions repetitions(comm_, programs_, operation_, settings_, clock_ ? &*clock_ : nullptr);
    measure(repetitions);
    int code = agree(repetitions.failure());
    if (operation_.finalise != nullptr) {
      const int finished = agree(operation_.finalise(operation_.state, programs_));
      if (code == MPI_SUCCESS) code = finished;
    }
    if (clock_) clock_bound_ = clock_->bound_ns() * 1e-9;
    return code;
  }

  // Collective. Of rank 0, without its arrays, on every rank.
  void give(plumbline_measured& out) {
    out = {};
    if (rank_in(comm_) == 0) {
      fill(out);
      copy(times_.seconds, out.seconds);
      copy(times_.flags, out.flags);
      copy(times_.of_ranks, out.of_ranks);
    }
    plumbline_measured all = out;
    must(MPI_Bcast(&all, sizeof all, MPI_BYTE, 0, comm_));
    all.seconds = out.seconds;
    all.flags = out.flags;
    all.of_ranks = out.of_ranks;
    out = all;
  }

 private:
  // The largest code of any rank: an error of one is everybody's.
  int agree(int code) {
    int all = code;
    must(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, comm_));
    return all;
  }

  void measure(Repetitions& repetitions) {
    Orders orders{std::max<std::int64_t>(settings_.warm_up, 1), first_window()};
    const Times warm = repetitions.run(static_cast<std::uint32_t>(orders.next), orders.window_ns);
    orders = after_warming_up(warm, orders);
    begin_ = now_ns();
    while (true) {
      must(MPI_Bcast(&orders, 2, MPI_INT64_T, 0, comm_));
      if (orders.next == 0) break;
      window_ns_ = orders.window_ns;
      take(repetitions.run(static_cast<std::uint32_t>(orders.next), orders.window_ns));
      if (rank_in(comm_) == 0) orders = next_orders(orders);
    }
  }

  std::int64_t first_window() const {
    constexpr std::int64_t kGenerous = 10'000'000;
    return settings_.window > 0 ? std::llround(settings_.window * 1e9) : kGenerous;
  }

  Orders after_warming_up(const Times& warm, const Orders& orders) const {
    Orders next{settings_.least, orders.window_ns};
    if (settings_.window > 0 || warm.seconds.empty()) return next;
    const double longest = *std::max_element(warm.seconds.begin(), warm.seconds.end()) * 1e9;
    next.window_ns = std::llround(std::max(kRoomInAWindow * longest, kLeastWindow_ns));
    return next;
  }

  void take(const Times& batch) {
    last_ = batch.seconds.size();
    times_.seconds.insert(times_.seconds.end(), batch.seconds.begin(), batch.seconds.end());
    times_.flags.insert(times_.flags.end(), batch.flags.begin(), batch.flags.end());
    times_.of_ranks.insert(times_.of_ranks.end(), batch.of_ranks.begin(), batch.of_ranks.end());
  }

  std::vector<double> valid() const {
    std::vector<double> valid;
    for (std::size_t i = 0; i < times_.seconds.size(); ++i)
      if (times_.flags[i] == 0) valid.push_back(times_.seconds[i]);
    return valid;
  }

  Orders next_orders(const Orders& orders) const {
    const std::vector<double> so_far = valid();
    const double elapsed = static_cast<double>(now_ns() - begin_) * 1e-9;
    const std::size_t all = times_.seconds.size();
    const bool hopeless = all >= 10 * static_cast<std::size_t>(settings_.most);  // nearly none is valid
    if (hopeless || assess(so_far, rule_of(settings_)).enough) return {0, orders.window_ns};
    std::int64_t next = std::max<std::int64_t>(kFewestInABatch, static_cast<std::int64_t>(all / 2));
    next = std::min<std::int64_t>(next, settings_.most - static_cast<std::int64_t>(so_far.size()));
    if (settings_.budget > 0) {
      const double each = elapsed / static_cast<double>(all);
      const double left = (settings_.budget - elapsed) / std::max(each, 1e-9);
      if (left < 1) return {0, orders.window_ns};
      next = std::min(next, static_cast<std::int64_t>(std::min(left, 1e9)));
    }
    return {next, window_after(orders)};
  }

  // A window that many did not fit into is doubled, unless it was asked for.
  std::int64_t window_after(const Orders& orders) const {
    if (settings_.isolation != PLUMBLINE_ISOLATION_WINDOW || settings_.window > 0) return orders.window_ns;
    const auto flawed = std::count_if(times_.flags.end() - static_cast<std::ptrdiff_t>(last_), times_.flags.end(),
                                      [](std::uint8_t flags) { return flags != 0; });
    return static_cast<double>(flawed) > kFlawed * static_cast<double>(last_) ? 2 * orders.window_ns : orders.window_ns;
  }

  void fill(plumbline_measured& out) const {
    const std::vector<double> good = valid();
    const Assessment found = assess(good, rule_of(settings_));
    out.repetitions = static_cast<std::uint32_t>(times_.seconds.size());
    out.valid = static_cast<std::uint32_t>(good.size());
    out.ranks = static_cast<std::uint32_t>(size_of(comm_));
    out.reached = found.reached ? 1 : 0;
    out.normal = found.normal ? 1 : 0;
    out.median = found.median;
    out.mean = found.mean;
    out.least = found.least;
    out.most = found.most;
    out.low = found.low;
    out.high = found.high;
    out.clock_bound = clock_bound_;
    out.window = settings_.isolation == PLUMBLINE_ISOLATION_WINDOW ? static_cast<double>(window_ns_) * 1e-9 : 0;
  }

  template <class T>
  static void copy(const std::vector<T>& from, T*& to) {
    to = static_cast<T*>(std::malloc(std::max<std::size_t>(from.size(), 1) * sizeof(T)));
    if (to == nullptr) throw std::bad_alloc();
    std::copy(from.begin(), from.end(), to);
  }

  MPI_Comm programs_;
  OwnComm comm_;
  const plumbline_operation& operation_;
  std::size_t bytes_;
  const plumbline_settings& settings_;
  std::optional<SharedClock> clock_;
  double clock_bound_ = 0;
  std::int64_t begin_ = 0, window_ns_ = 0;
  Times times_;
  std::size_t last_ = 0;  // repetitions of the last batch
};

}  // namespace
}  // namespace plumbline::bench

extern "C" {

plumbline_settings plumbline_default_settings(void) {
  plumbline_settings settings{};
  settings.timing = PLUMBLINE_TIMING_MAX;
  settings.isolation = PLUMBLINE_ISOLATION_BARRIER;
  settings.stop = PLUMBLINE_STOP_MEDIAN;
  settings.warm_up = 3;
  settings.least = 30;
  settings.most = 1000;
  settings.confidence = 0.95;
  settings.precision = 0.025;
  settings.budget = 10;
  settings.clock_limit = 1e-6;
  return settings;
}

int plumbline_measure(MPI_Comm comm, const plumbline_operation* operation, size_t bytes,
                      const plumbline_settings* settings, plumbline_measured* measured) {
  using namespace plumbline::bench;
  try {
    *measured = {};
    if (operation->execute == nullptr || !is_valid(*settings, size_of(comm))) return PLUMBLINE_BAD_SETTING;
    Measurement measurement(comm, *operation, bytes, *settings);
    const int code = measurement.run();
    if (code == MPI_SUCCESS) measurement.give(*measured);
    return code;
  } catch (const MpiFailure& failure) {
    return failure.code;
  } catch (...) {
    return MPI_ERR_NO_MEM;
  }
}

void plumbline_free_measured(plumbline_measured* measured) {
  std::free(measured->seconds);
  std::free(measured->flags);
  std::free(measured->of_ranks);
  *measured = {};
}

}  // extern "C"
