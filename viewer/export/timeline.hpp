#pragma once
// The two runs on one axis of whole nanoseconds, as the formats of other tools want their times.
//
// Both begin at 0: the observed run with its first operation, the reference with what is shown beside that
// (reference_zero(), runs.hpp). Every time is rounded down. So what did not overlap does not overlap, what lay inside
// lies inside, and no sum of durations and gaps of a rank is off by a nanosecond.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

enum class Side : std::uint8_t { kObserved, kReference };

class Timeline {
 public:
  // `zero`: what is drawn at 0; nothing of the run is before it.
  Timeline(const Runs& runs, Side side, Time zero) : runs_(&runs), reference_(runs), side_(side), zero_(zero) {}

  Side side() const { return side_; }
  // Whether the run of this side has the operation; else it has no times.
  bool has(OperationId id) const { return side_ == Side::kObserved || reference_.contains(id); }
  const replay::OperationTimes& times(OperationId id) const {
    return side_ == Side::kObserved ? runs_->observed.rank(id.rank).times[id.operation]
                                    : runs_->expected->ranks[id.rank].free[id.operation];
  }
  std::uint64_t begin_ns(OperationId id) const { return ns(times(id).begin); }
  std::uint64_t end_ns(OperationId id) const { return ns(times(id).end); }

 private:
  std::uint64_t ns(Time time) const {
    return time > zero_ ? static_cast<std::uint64_t>((time - zero_).ps) / 1000 : std::uint64_t{0};
  }

  const Runs* runs_;
  ReferenceOperations reference_;
  Side side_;
  Time zero_;
};

// The observed run, and the reference where there is one.
std::vector<Side> sides_of(const Runs& runs);
std::vector<Timeline> timelines_of(const Runs& runs);

// Where an operation is drawn.
struct Drawn {
  std::uint64_t begin_ns = 0, end_ns = 0;
};

// `not_before_ns`: where the operation before it on the rank ended. In a run as we make it that is never later; what a
// file says may be, and formats that draw one operation inside another would be wrong from there on.
inline Drawn drawn(const Timeline& timeline, OperationId id, std::uint64_t not_before_ns) {
  const std::uint64_t begin = std::max(timeline.begin_ns(id), not_before_ns);
  return {begin, std::max(timeline.end_ns(id), begin)};
}

// The last end of anything drawn.
std::uint64_t length_ns(const Runs& runs, const std::vector<Timeline>& timelines);

// "observed: btio.observed", "expected: btio.expected", "reference: last-month".
std::string title_of(const Runs& runs, Side side);
// "rank 3 (n01)".
std::string rank_title(const Runs& runs, std::uint32_t rank);

}  // namespace plumbline::viewer
