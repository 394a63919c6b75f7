#pragma once
// The operations of a rank in a range of time, and how much of them lies in it.

#include <algorithm>
#include <cstdint>

#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Of [begin, end) what lies in the range.
inline Duration overlap(TimeRange range, Time begin, Time end) {
  const Time from = std::max(begin, range.begin), to = std::min(end, range.end);
  return to > from ? to - from : Duration{};
}

// An operation without length lies in the range that has its begin; at the end of the run in the one that ends there.
inline bool has_point(TimeRange range, Time point, Time end_of_run) {
  return point >= range.begin && (point < range.end || (point == range.end && point == end_of_run));
}

// Calls visit(operation, inside) for each operation that lies in the range at least in part, ascending.
template <class Visit>
void for_each_in(const Runs& runs, Time end_of_run, TimeRange range, std::uint32_t rank, Visit visit) {
  const auto times = runs.observed.rank(rank).times;
  auto at = std::ranges::lower_bound(times, range.begin, {}, &replay::OperationTimes::end);
  for (; at != times.end() && at->begin <= range.end; ++at) {
    const Duration inside = overlap(range, at->begin, at->end);
    const bool is_point = at->begin == at->end && has_point(range, at->begin, end_of_run);
    if (inside > Duration{} || is_point) visit(static_cast<std::uint32_t>(at - times.begin()), inside);
  }
}

inline Time end_of(const Runs& runs) {
  const Span span = span_of(runs.observed);
  return span.begin + span.length;
}

// Shares out `inside` of a whole in proportion to its parts, to the picosecond: what was given out in all is rounded
// down after each part, so that all parts of the whole together give `inside`. Where the whole is nothing, its parts,
// which cancel, are given out as they are.
class ProportionalShare {
 public:
  ProportionalShare(Duration inside, Duration whole) : inside_(inside), whole_(whole) {}

  Duration of(Duration part) {
    if (inside_ == whole_) return part;
    __extension__ using Wide = __int128;
    sum_ += part;
    Wide given = static_cast<Wide>(sum_.ps) * inside_.ps / whole_.ps;
    if (sum_.ps < 0 && given * whole_.ps != static_cast<Wide>(sum_.ps) * inside_.ps) --given;
    const Duration before = given_;
    given_ = Duration{static_cast<std::int64_t>(given)};
    return given_ - before;
  }

 private:
  Duration inside_, whole_, sum_, given_;
};

}  // namespace plumbline::viewer
