#pragma once
// How far to move the lines of clocks so that no message is received before it is sent: as little as possible, and
// never out of what exchanges leave open.

#include <cstddef>
#include <vector>

#include "base/clock_fit.hpp"

namespace plumbline::record {

struct MovableLine {
  const clocks::ClockFit* fit = nullptr;  // moves within its possible lines
  bool is_free = false;                   // without a fit: moves anywhere, or not at all
};

// A message between two lines; where on their way from begin to end it was sent and received.
struct Passage {
  std::size_t from = 0, to = 0;  // lines
  double ahead_ns = 0;           // received - sent, by the lines as they are
  double from_part = 0, to_part = 0;
};

class LineShifts {
 public:
  explicit LineShifts(std::vector<MovableLine> lines) : lines_(std::move(lines)), shifts_(lines_.size()) {}

  // Projects onto the requirements in turn (Kaczmarz), until they are met or it is no use.
  void respect(const std::vector<Passage>& passages);

  clocks::Ends shift(std::size_t line) const { return shifts_[line]; }
  double ahead_ns(const Passage& passage) const;

 private:
  bool can_move(std::size_t line) const { return lines_[line].fit != nullptr || lines_[line].is_free; }
  double at(std::size_t line, double part) const;
  double weight(std::size_t line, double part) const;
  void push(std::size_t line, double part, double by);

  std::vector<MovableLine> lines_;
  std::vector<clocks::Ends> shifts_;
};

}  // namespace plumbline::record
