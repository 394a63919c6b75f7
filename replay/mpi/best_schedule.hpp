#pragma once
// The fastest algorithm for a collective call on a platform, by replaying each that there is alone: all ranks begin at
// once, and nobody else uses the network (docs/models/replay-collectives.md).

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/mpi/engine.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::replay {

// What is looked for at most: bounds the time that a search takes. A packet costs about a microsecond.
struct SearchBounds {
  std::uint64_t packets_of_candidate = 100'000;
  std::uint64_t packets_in_all = 4'000'000;
};

// A call with the ranks that make it.
struct CallOfRanks {
  const collectives::schedules::Call* call = nullptr;
  std::span<const std::uint32_t> members;      // world ranks
  std::span<const collectives::Shape> shapes;  // how each of them sees it; their plan is not looked at
};

// Of one platform and one placement. Replays of one program may share it, also on several threads: all ask for its
// calls in the same order, so that what is left of the bounds when one is looked for is the same whoever asks first.
class BestSchedules {
 public:
  // `nodes`: of each rank.
  BestSchedules(const hw::Platform& platform, std::span<const std::uint32_t> nodes, SearchBounds bounds = {});

  // Never slower, alone, than `usual`, which is what runs otherwise; nothing stands for the stand-in, here as in the
  // answer. What would go beyond the bounds is not tried; where `usual` itself would, it is the answer. Of equally fast
  // ones the one whose ranks are free earlier, in sum; then `usual`; then the first in the order of algorithms_for().
  std::optional<collectives::schedules::Algorithm> best(const CallOfRanks& call,
                                                        const std::optional<collectives::schedules::Algorithm>& usual);

  // From the common begin until the last rank is free.
  Duration time_alone(const CallOfRanks& call, const std::optional<collectives::schedules::Algorithm>& algorithm);

  // Not while others ask: candidates that were replayed, those beyond the bounds, packets of those that were replayed.
  std::uint64_t tried() const { return tried_; }
  std::uint64_t left_out() const { return left_out_; }
  std::uint64_t packets() const { return packets_; }

 private:
  struct Outcome {
    Duration last;  // rank
    TimeSum sum;    // over the ranks
    auto operator<=>(const Outcome&) const = default;
  };
  using Candidate = std::optional<collectives::schedules::Algorithm>;

  std::vector<Candidate> candidates(const collectives::schedules::Call& call, const Candidate& usual) const;
  std::string key_of(const CallOfRanks& call, const Candidate& usual) const;
  std::uint64_t packets_of(const CallOfRanks& call, const Candidate& candidate) const;
  Outcome play(const CallOfRanks& call, const Candidate& candidate);
  Candidate search(const CallOfRanks& call, const Candidate& usual);

  std::vector<std::uint32_t> nodes_;
  std::uint64_t granularity_;
  SearchBounds bounds_;
  std::mutex mutex_;  // of all below
  mpi::Noise silence_;
  sim::EventQueue queue_;
  mpi::Engine engine_;
  Time now_;
  std::uint32_t calls_ = 0;  // played so far
  std::uint64_t tried_ = 0, left_out_ = 0, packets_ = 0;
  std::map<std::string, Candidate> known_;
};

}  // namespace plumbline::replay
