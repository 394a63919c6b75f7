#include "base/statistics/non_negative.hpp"

#include <algorithm>
#include <cmath>

namespace plumbline::statistics {
namespace {

constexpr int kMostSweeps = 5000;
constexpr double kSmallest = 1e-9;  // change of a fitted value, relative to the largest y, that is still one

double square_of(const SparseColumn& column) {
  double sum = 0;
  for (const double value : column.values) sum += value * value;
  return sum;
}

double product(const SparseColumn& column, std::span<const double> vector) {
  double sum = 0;
  for (std::size_t i = 0; i < column.rows.size(); ++i) sum += column.values[i] * vector[column.rows[i]];
  return sum;
}

}  // namespace

std::vector<double> non_negative_least_squares(std::span<const SparseColumn> columns, std::span<const double> y) {
  std::vector<double> x(columns.size(), 0), squares(columns.size()), rest(y.begin(), y.end());
  std::ranges::transform(columns, squares.begin(), square_of);
  double largest = 0;
  for (const double value : y) largest = std::max(largest, std::abs(value));
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double change = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (squares[k] <= 0) continue;
      const double next = std::max(0.0, x[k] + product(columns[k], rest) / squares[k]);
      const double step = next - x[k];
      if (step == 0) continue;
      for (std::size_t i = 0; i < columns[k].rows.size(); ++i) rest[columns[k].rows[i]] -= step * columns[k].values[i];
      x[k] = next;
      change = std::max(change, std::abs(step) * std::sqrt(squares[k]));
    }
    if (change <= kSmallest * largest) break;
  }
  return x;
}

double cosine(const SparseColumn& one, const SparseColumn& other) {
  double sum = 0;
  for (std::size_t i = 0, k = 0; i < one.rows.size() && k < other.rows.size();) {
    if (one.rows[i] == other.rows[k])
      sum += one.values[i++] * other.values[k++];
    else if (one.rows[i] < other.rows[k])
      ++i;
    else
      ++k;
  }
  const double length = std::sqrt(square_of(one) * square_of(other));
  return length > 0 ? sum / length : 0;
}

}  // namespace plumbline::statistics
