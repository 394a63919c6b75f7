// An amount of data is neither more nor less than a rate.
// expected: no match for 'operator>' .*'plumbline::Bytes' and 'plumbline::BytesPerSecond'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr bool kMore = Bytes{2} > BytesPerSecond{1};
#else
constexpr bool kMore = Bytes{2} > Bytes{1};
#endif
