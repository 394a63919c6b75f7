#pragma once
// Means, for values that are normally distributed; and whether they are. Times of messages hardly ever are: use
// order.hpp unless is_normal() says otherwise.

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::statistics {

struct MeanInterval {
  double mean = 0;
  double half_width = 0;  // of the two-sided interval
};

// t such that a Student variable with this many degrees of freedom lies in [-t, t] with this probability: two-sided,
// 2.045230 for 95 % and 29.
double student_quantile(double confidence, std::size_t freedom);

// Of at least two values.
MeanInterval interval_of_mean(std::span<const double> values, double confidence = 0.95);

// The probability to see values at least as far from a normal distribution as these where they are from one: test of
// Anderson and Darling, mean and variance estimated (D'Agostino and Stephens, Goodness-of-Fit Techniques, 1986,
// table 4.9). Sorted values, at least eight, for which the formula holds. 0 when all are equal: not normal.
double normality(const std::vector<double>& sorted);

}  // namespace plumbline::statistics
