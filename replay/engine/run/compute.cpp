#include "replay/engine/run/compute.hpp"

#include <algorithm>
#include <cmath>

#include "replay/engine/run/loop.hpp"

namespace plumbline::replay::engine {
namespace {

Duration off_cpu_before(const RankProgram& own, std::uint32_t operation) {
  Duration off;
  for (const OffCpu& one : std::ranges::equal_range(own.off_cpu, operation, {}, &OffCpu::operation)) off += one.delay;
  return off;
}

}  // namespace

Time next_begin(Run& run, std::uint32_t rank) {
  Cursor& cursor = run.cursors[rank];
  const RankProgram& own = run.program.rank(rank);
  const Time observed = own.times[cursor.next].begin;
  const Time clock = run.engine.rank(rank).clock;
  if (run.options.mode == Mode::kAnchored) {
    if (clock > observed) {
      ++run.result.late_starts;
      run.result.lateness += clock - observed;
    }
    return cursor.begin = std::max(observed, clock);
  }
  const Time previous = cursor.next == 0 ? run.first_begin : own.times[cursor.next - 1].end;
  const Duration off = own.off_cpu.empty() ? Duration{} : off_cpu_before(own, cursor.next), tracer{own.gap_cost_ps};
  Duration gap = std::max(observed - previous - off - tracer, Duration{});
  const double scale = run.computing.scale[run.nodes[rank]];
  if (scale != 1.0) gap = {std::llround(static_cast<double>(gap.ps) * scale)};
  cursor.begin = clock;
  compute(run, rank, gap);
  return cursor.begin;
}

void share_cores(Run& run, const sim::Event& event) {
  run.computing.computed.clear();
  run.computing.cores.handle(event, run.computing.computed);
  for (const std::uint32_t rank : run.computing.computed) {
    run.cursors[rank].begin = event.at;
    go_on(run, rank);
  }
}

}  // namespace plumbline::replay::engine
