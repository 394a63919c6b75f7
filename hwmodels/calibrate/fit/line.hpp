#pragma once
// time = intercept + slope * size, fitted so that a few wild points do not matter, and where it changes.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace plumbline::hw::calibration {

struct Point {
  double size = 0;
  double value = 0;  // > 0
};

struct Line {
  double intercept = 0, slope = 0;

  double at(double size) const { return intercept + slope * size; }
};

// The line that makes the sum of |fitted - value| / value smallest (sizes are geometric, so is the error), not below
// the bounds. Exact: the best line goes through two points or touches a bound.
struct LowerBounds {
  double intercept = 0, slope = 0;
};
Line fit_line(std::span<const Point> points, LowerBounds bounds = {});

// What is left of a measured time when what is known has been taken off: errors are relative to the whole.
struct RestPoint {
  double size = 0;
  double value = 0;  // may be below 0: noise
  double whole = 0;  // > 0
};
// The line that makes the sum of |fitted - value| / whole smallest; otherwise as above.
Line fit_rest(std::span<const RestPoint> points, LowerBounds bounds = {});
double sum_of_deviations(const Line& line, std::span<const RestPoint> points);

// The line that makes the sum of ((fitted - value) / value)^2 smallest; values > 0. Level when all sizes are one.
Line least_squares(std::span<const Point> points);

// |fitted - value| / value of the worst point.
double largest_deviation(const Line& line, std::span<const Point> points);

// A change lies behind point `current` when, for each j up to `look_ahead`, the next j points added to those since the
// last change make the mean square error of the least-squares line grow by more than `factor` (Hoefler et al., "LogGP
// in theory and practice", 2009). Ours: errors are relative to the line before the change; at least 4 points lie before
// it, and with n of them the factor is (1 + 2/(n-2)) times as large, for few points are on a line by chance; errors
// below `floor` count as `floor`, for on exact data every ratio is infinite; and the error must also grow without the
// very next point, which otherwise could make a change by being wrong alone.
struct ChangeRule {
  std::size_t look_ahead = 4;
  double factor = 2;
  double floor = 0.01;  // relative
  // Points before a change that count, the nearest: of many, the error of a few behind them is a small part.
  std::size_t memory = std::numeric_limits<std::size_t>::max();
};
// Indices of the last points before the changes.
std::vector<std::size_t> find_changes(std::span<const Point> points, const ChangeRule& rule = {});

}  // namespace plumbline::hw::calibration
