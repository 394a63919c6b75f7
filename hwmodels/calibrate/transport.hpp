#pragma once
// From ping-pong and call durations to message ranges.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/results/measurements.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/fit/line.hpp"

namespace plumbline::hw::calibration {

// Of sizes, ascending, and whether each was seen to wait: the first that waits, by the limit that the fewest
// contradict; nothing when none does.
std::optional<std::uint64_t> first_that_waits(std::span<const std::pair<std::uint64_t, bool>> sizes);

// Smallest size whose send waits until the receive is posted; nothing when none of the tried ones does.
std::optional<std::uint64_t> first_rendezvous(const bench::Series& send_late, double late_ns);

// Points that one line and one protocol describe.
struct Piece {
  std::size_t first = 0, last = 0;  // indices into the points, inclusive
  Protocol protocol = Protocol::kEager;
};
std::vector<Piece> find_pieces(std::span<const Point> points, std::optional<std::uint64_t> rendezvous);

// Fills inside, nodes[0].memory_rate (raised where messages are faster than the measured copies), ranges and notes.
void fit_transport(const bench::Measurements& measurements, const std::string& source, Calibration& into);

}  // namespace plumbline::hw::calibration
