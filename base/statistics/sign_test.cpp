#include "base/statistics/sign_test.hpp"

#include <boost/math/distributions/binomial.hpp>

#include "base/check.hpp"

namespace plumbline::statistics {

double sign_test(std::uint64_t above, std::uint64_t samples) {
  PLUMBLINE_CHECK(above <= samples, "more samples above the mark than samples");
  if (above == 0) return 1;
  const boost::math::binomial_distribution<double> coin(static_cast<double>(samples), 0.5);
  return boost::math::cdf(boost::math::complement(coin, static_cast<double>(above - 1)));
}

}  // namespace plumbline::statistics
