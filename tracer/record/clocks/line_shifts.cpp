#include "tracer/record/clocks/line_shifts.hpp"

namespace plumbline::record {
namespace {

constexpr double kMarginNs = 2;  // moments are rounded to whole ns
constexpr int kMostSweeps = 300;

}  // namespace

double LineShifts::at(std::size_t line, double part) const {
  return shifts_[line].begin * (1 - part) + shifts_[line].end * part;
}

double LineShifts::ahead_ns(const Passage& p) const {
  return p.ahead_ns + at(p.to, p.to_part) - at(p.from, p.from_part);
}

double LineShifts::weight(std::size_t line, double part) const {
  return can_move(line) ? part * part + (1 - part) * (1 - part) : 0;
}

// Moves the line at one place by a change of both its ends that is as small as possible, then back to what is allowed.
void LineShifts::push(std::size_t line, double part, double by) {
  if (!can_move(line)) return;
  clocks::Ends& shift = shifts_[line];
  shift.begin += by * (1 - part);
  shift.end += by * part;
  if (const clocks::ClockFit* fit = lines_[line].fit) {
    const clocks::Ends allowed = fit->possible.closest_to({fit->line.begin + shift.begin, fit->line.end + shift.end});
    shift = {allowed.begin - fit->line.begin, allowed.end - fit->line.end};
  }
}

void LineShifts::respect(const std::vector<Passage>& passages) {
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool violated = false;
    for (const Passage& p : passages) {
      const double lacking = kMarginNs - ahead_ns(p);
      const double weights = weight(p.from, p.from_part) + weight(p.to, p.to_part);
      if (lacking <= kMarginNs / 2 || weights == 0) continue;
      violated = true;
      push(p.to, p.to_part, lacking / weights);
      push(p.from, p.from_part, -lacking / weights);
    }
    if (!violated) return;
  }
}

}  // namespace plumbline::record
