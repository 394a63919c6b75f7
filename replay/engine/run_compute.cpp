// What ranks compute between their operations, and so when the next one begins.

#include <algorithm>
#include <cmath>

#include "replay/engine/run.hpp"

namespace plumbline::replay {

// Of the next operation; its predecessor has ended at the rank's clock.
Time Run::begin_of(std::uint32_t rank) {
  Cursor& cursor = cursors_[rank];
  const RankProgram& own = program_.rank(rank);
  const Time observed = own.times[cursor.next].begin;
  const Time clock = engine_.rank(rank).clock;
  if (options_.mode == Mode::kAnchored) {
    if (clock > observed) {
      ++result_.late_starts;
      result_.lateness += clock - observed;
    }
    return cursor.begin = std::max(observed, clock);
  }
  const Time previous = cursor.next == 0 ? first_begin_ : own.times[cursor.next - 1].end;
  const Duration off = own.off_cpu.empty() ? Duration{} : off_cpu_before(own, cursor.next), tracer{own.gap_cost_ps};
  Duration gap = std::max(observed - previous - off - tracer, Duration{});
  const double scale = compute_scale_[nodes_[rank]];
  if (scale != 1.0) gap = {std::llround(static_cast<double>(gap.ps) * scale)};
  cursor.begin = clock;
  compute(rank, gap);
  return cursor.begin;
}

Duration Run::off_cpu_before(const RankProgram& own, std::uint32_t operation) const {
  Duration off;
  for (const OffCpu& one : std::ranges::equal_range(own.off_cpu, operation, {}, &OffCpu::operation)) off += one.delay;
  return off;
}

void Run::share_cores(const sim::Event& event) {
  computed_.clear();
  cores_.handle(event, computed_);
  for (const std::uint32_t rank : computed_) {
    cursors_[rank].begin = event.at;
    go_on(rank);
  }
}

}  // namespace plumbline::replay
