// Whether a point in time is less than a duration has no answer: from which start on?
// expected: no match for 'operator<' .*'plumbline::Time' and 'plumbline::Duration'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr bool kLate = Time{1} < picoseconds(2);
#else
constexpr bool kLate = Time{1} - Time{} < picoseconds(2);
#endif
