#pragma once
// The replays of a prediction in one row: point after point, of each the kinds of data, of each kind its runs, which
// differ in their seed alone.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/memory/scratch.hpp"
#include "cli/workflows/predict/lines.hpp"
#include "cli/workflows/predict/prepare.hpp"
#include "replay/mpi/matching/wildcards.hpp"

namespace plumbline::cli::predict {

// What messages are taken to cost, on a sampled network.
enum class Data : std::uint8_t {
  kDistributions,  // each message draws from the times of its size and of the number in flight
  kMeans,          // each takes their mean
  kPingPongMeans,  // the mean of the fewest in flight that were measured: 2 x 1
  kPingPongLeast,  // the least time of those
};
std::string_view name_of(Data data);
// What is evaluated of each point, kDistributions first.
std::vector<Data> kinds_of_data(const hw::Platform& platform, const Options& options);

// One of the kinds of data, and how often each point is replayed with it.
struct KindOfRuns {
  Data data = Data::kDistributions;
  hw::Platform platform;
  std::uint32_t runs = 1;
};

struct RunPlace {
  std::size_t point = 0, kind = 0;
  std::uint32_t run = 0;
};

// What is kept of one replay.
struct RunOutcome {
  Duration length;
  std::uint64_t beyond_measured = 0;  // messages
  Lines lines;                        // of distributions, of the first runs; else of no run
  std::vector<std::vector<replay::mpi::WildcardMatch>> wildcards;  // of distributions, by rank
};

template <class Io>
void fields(Io& io, RunOutcome& outcome) {
  io(outcome.length, outcome.beyond_measured, outcome.lines, outcome.wildcards);
}

std::uint64_t operations_of(const replay::Program& program);

class Runs {
 public:
  // Both must outlive it.
  Runs(const Preparation& preparation, const Options& options);

  std::size_t size() const { return of_point_ * preparation_.points.size(); }
  const std::vector<KindOfRuns>& kinds() const { return kinds_; }
  RunPlace place_of(std::size_t index) const;
  std::vector<std::uint64_t> costs() const;  // operations, by run
  bool looks(const RunPlace& place) const { return kinds_[place.kind].data == Data::kDistributions; }

  // Makes one of them; several at a time may be made. Throws Error where it cannot finish: at which point, and who
  // waits for whom.
  RunOutcome outcome(std::size_t index, const std::function<void(double share)>& progress) const;
  void forget_scratch_of(std::size_t point) { scratch_[point] = nullptr; }  // when all its runs are made

 private:
  bool has_lines(const RunPlace& place) const;

  const Preparation& preparation_;
  const Options& options_;
  std::vector<KindOfRuns> kinds_;
  std::size_t of_point_ = 0;               // runs
  std::vector<std::uint64_t> operations_;  // by point
  std::vector<Scratch> scratch_;           // by point
};

}  // namespace plumbline::cli::predict
