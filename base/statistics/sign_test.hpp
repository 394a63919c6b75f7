#pragma once
// The sign test: whether values tend to lie above a mark.

#include <cstdint>

namespace plumbline::statistics {

// One-sided: the chance that at least `above` of `samples` lie above a mark that is not below the median,
// P(X >= above) for X ~ Binomial(samples, 1/2). Samples equal to the mark count as not above. 1 without samples.
double sign_test(std::uint64_t above, std::uint64_t samples);

}  // namespace plumbline::statistics
