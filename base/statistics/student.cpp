#include "base/statistics/student.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/anderson_darling.hpp>
#include <cmath>
#include <numeric>

#include "base/check.hpp"

namespace plumbline::statistics {
namespace {

struct Moments {
  double mean = 0, deviation = 0;  // of the sample: n - 1
};

Moments moments_of(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1))};
}

}  // namespace

double student_quantile(double confidence, std::size_t freedom) {
  PLUMBLINE_CHECK(confidence > 0 && confidence < 1 && freedom > 0, "an interval has a confidence below 1");
  const boost::math::students_t_distribution<double> distribution(static_cast<double>(freedom));
  return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

MeanInterval interval_of_mean(std::span<const double> values, double confidence) {
  PLUMBLINE_CHECK(values.size() > 1, "a deviation needs two values");
  const Moments moments = moments_of(values);
  const double error = moments.deviation / std::sqrt(static_cast<double>(values.size()));
  return {moments.mean, student_quantile(confidence, values.size() - 1) * error};
}

double normality(const std::vector<double>& sorted) {
  PLUMBLINE_CHECK(sorted.size() >= 8, "the formula holds for eight values and more");
  if (sorted.front() == sorted.back()) return 0;
  const Moments moments = moments_of(sorted);
  const double statistic =
      boost::math::statistics::anderson_darling_normality_statistic(sorted, moments.mean, moments.deviation);
  const auto count = static_cast<double>(sorted.size());
  const double a = statistic * (1 + 0.75 / count + 2.25 / (count * count));
  if (!(a < 13)) return 0;  // the parabola below turns up again; infinite for wild values
  if (a >= 0.6) return std::exp(1.2937 - 5.709 * a + 0.0186 * a * a);
  if (a >= 0.34) return std::exp(0.9177 - 4.279 * a - 1.38 * a * a);
  if (a >= 0.2) return 1 - std::exp(-8.318 + 42.796 * a - 59.938 * a * a);
  return 1 - std::exp(-13.436 + 101.14 * a - 223.73 * a * a);
}

}  // namespace plumbline::statistics
