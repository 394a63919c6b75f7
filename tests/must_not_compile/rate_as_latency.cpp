// A parameter of a platform that is a time does not take a rate.
// expected: cannot convert 'plumbline::BytesPerSecond' to 'int64_t'
#include "base/units.hpp"
#include "hwmodels/platform/parameter.hpp"

using namespace plumbline;

#ifdef WRONG
const hw::Parameter<Duration> latency{BytesPerSecond{1}, 0, "data sheet"};
#else
const hw::Parameter<Duration> latency{nanoseconds(1), 0, "data sheet"};
#endif
