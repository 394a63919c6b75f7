#pragma once
// Least squares with coefficients that cannot be negative.

#include <cstdint>
#include <span>
#include <vector>

namespace plumbline::statistics {

// A column of a matrix in which most entries are 0. Rows ascend.
struct SparseColumn {
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
};

// The x >= 0 that makes the sum of squares of y - A x least, by descent along one coordinate at a time (Franc, Hlavac
// and Navara, "Sequential coordinate-wise algorithm for the non-negative least squares problem", 2005). Columns without
// a value other than 0 get 0. Of columns that are the same the first gets all.
std::vector<double> non_negative_least_squares(std::span<const SparseColumn> columns, std::span<const double> y);

// Of two columns as vectors: 1 when they point the same way, 0 when they share no row.
double cosine(const SparseColumn& one, const SparseColumn& other);

}  // namespace plumbline::statistics
