#pragma once
// One-way times over the size of messages, of pairs of places and of classes of them.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/calibrate/observations/observations.hpp"

namespace plumbline::hw::calibration {

using Curve = std::map<std::uint64_t, Figure>;  // by size
using PlacePair = std::pair<Place, Place>;

// Half of each round trip: PRTT(1, 0, s), and `pairs` where that is missing, those with the fewest others at once.
// `only`: of one of both operations alone.
std::map<PlacePair, Curve> one_way_times(const Observations& observations, std::string_view only = {});

// The same between ranks that had waited for each message: `pairs`, part "waited".
std::map<PlacePair, Curve> waited_one_way_times(const Observations& observations);

// All of one operation and part, by the places of the ranks and by size.
std::map<std::vector<Place>, Curve> curves_of(const Observations& observations, std::string_view operation,
                                              std::string_view part);

// At each size the median over the curves that have it, with the spread that is larger: of one curve, or among them.
Curve centre(std::span<const Curve* const> curves);

// Between the measured sizes along a straight line; beyond them the nearest. Of a curve that is not empty.
double value_at(const Curve& curve, double size);

std::vector<Point> points_of(const Curve& curve);
std::vector<Point> points_between(const Curve& curve, double first, double last);  // sizes, both included
double typical_spread(const Curve& curve);                                         // median over the sizes; 0 of none

// Smallest size whose send waited for its receiver, by `late` (or, where that is missing, `away`) of `protocol`.
std::optional<std::uint64_t> first_waiting(const Curve& sends);

}  // namespace plumbline::hw::calibration
