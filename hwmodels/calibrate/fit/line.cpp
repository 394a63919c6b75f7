#include "hwmodels/calibrate/fit/line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewest = 4;  // points before a change

double deviation_of(const Line& line, const RestPoint& point) {
  return std::abs(line.at(point.size) - point.value) / point.whole;
}

class BestLine {
 public:
  BestLine(std::span<const RestPoint> points, LowerBounds bounds) : points_(points), bounds_(bounds) {
    best_ = {bounds.intercept, bounds.slope};
    cost_ = sum_of_deviations(best_, points_);
  }

  void consider(Line line) {
    if (line.intercept < bounds_.intercept || line.slope < bounds_.slope) return;
    const double its = sum_up_to(cost_, line);
    if (its < cost_) {
      cost_ = its;
      best_ = line;
    }
  }

  const Line& best() const { return best_; }

 private:
  // As sum_of_deviations(), until it is known to be no less than `most`: of most lines after a few points.
  double sum_up_to(double most, const Line& line) const {
    double sum = 0;
    for (std::size_t i = 0; i < points_.size() && sum < most; ++i) sum += deviation_of(line, points_[i]);
    return sum;
  }

  std::span<const RestPoint> points_;
  LowerBounds bounds_;
  Line best_;
  double cost_ = std::numeric_limits<double>::infinity();
};

// Least squares; the weight of each point is one over the square of `scale` there, so errors are relative to it.
class LeastSquares {
 public:
  void add(const Point& p, double scale) {
    const double weight = 1 / (scale * scale);
    w_ += weight;
    x_ += weight * p.size;
    y_ += weight * p.value;
    points_.push_back(p);
    weights_.push_back(weight);
  }

  Line line() const {
    const double x = x_ / w_, y = y_ / w_;
    double xx = 0, xy = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      xx += weights_[i] * (points_[i].size - x) * (points_[i].size - x);
      xy += weights_[i] * (points_[i].size - x) * (points_[i].value - y);
    }
    const double slope = xx > 0 ? xy / xx : 0;
    return {y - slope * x, slope};
  }

  double mean_square_error() const {
    const Line fitted = line();
    double sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double error = fitted.at(points_[i].size) - points_[i].value;
      sum += weights_[i] * error * error;
    }
    return sum / static_cast<double>(points_.size() - 2);
  }

 private:
  double w_ = 0, x_ = 0, y_ = 0;
  std::vector<Point> points_;
  std::vector<double> weights_;
};

bool changes_behind(std::span<const Point> points, std::size_t first, std::size_t current, const ChangeRule& rule) {
  LeastSquares own;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i <= current; ++i) {
    own.add(points[i], points[i].value);
    smallest = std::min(smallest, points[i].value);
  }
  const Line expected = own.line();
  const auto scale = [&](const Point& p) { return std::max(expected.at(p.size), smallest); };
  LeastSquares before;
  for (std::size_t i = first; i <= current; ++i) before.add(points[i], scale(points[i]));
  const double few = 1 + 2.0 / static_cast<double>(current - first - 1);
  const double limit = rule.factor * few * std::max(before.mean_square_error(), rule.floor * rule.floor);
  LeastSquares with_next = before, without_next = before;
  for (std::size_t j = 1; j <= rule.look_ahead; ++j) {
    const Point& p = points[current + j];
    with_next.add(p, scale(p));
    if (with_next.mean_square_error() <= limit) return false;
    if (j > 1) without_next.add(p, scale(p));
  }
  return without_next.mean_square_error() > limit;
}

}  // namespace

Line fit_line(std::span<const Point> points, LowerBounds bounds) {
  std::vector<RestPoint> whole;
  for (const Point& point : points) whole.push_back({point.size, point.value, point.value});
  return fit_rest(whole, bounds);
}

double sum_of_deviations(const Line& line, std::span<const RestPoint> points) {
  double sum = 0;
  for (const RestPoint& point : points) sum += deviation_of(line, point);
  return sum;
}

Line fit_rest(std::span<const RestPoint> points, LowerBounds bounds) {
  PLUMBLINE_CHECK(!points.empty(), "a line needs points");
  for (const RestPoint& point : points) PLUMBLINE_CHECK(point.whole > 0, "relative errors need positive values");
  BestLine line(points, bounds);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RestPoint& p = points[i];
    line.consider({p.value - bounds.slope * p.size, bounds.slope});
    if (p.size > 0) line.consider({bounds.intercept, (p.value - bounds.intercept) / p.size});
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const RestPoint& q = points[j];
      if (q.size == p.size) continue;
      const double slope = (q.value - p.value) / (q.size - p.size);
      line.consider({p.value - slope * p.size, slope});
    }
  }
  return line.best();
}

Line least_squares(std::span<const Point> points) {
  PLUMBLINE_CHECK(!points.empty(), "a line needs points");
  LeastSquares squares;
  for (const Point& point : points) squares.add(point, point.value);
  return squares.line();
}

double largest_deviation(const Line& line, std::span<const Point> points) {
  double largest = 0;
  for (const Point& point : points)
    largest = std::max(largest, std::abs(line.at(point.size) - point.value) / point.value);
  return largest;
}

std::vector<std::size_t> find_changes(std::span<const Point> points, const ChangeRule& rule) {
  std::vector<std::size_t> changes;
  std::size_t first = 0;
  for (std::size_t current = kFewest - 1; current + rule.look_ahead < points.size(); ++current) {
    const std::size_t before = std::min(current - first + 1, rule.memory);
    if (before < kFewest || !changes_behind(points, current + 1 - before, current, rule)) continue;
    changes.push_back(current);
    first = current + 1;
  }
  return changes;
}

}  // namespace plumbline::hw::calibration
