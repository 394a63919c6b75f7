// A point in time cannot be taken from a duration; the reverse is a point.
// expected: no match for 'operator-' .*'plumbline::Duration' and 'plumbline::Time'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr auto kRest = seconds(2) - Time{1};
#else
constexpr Time kRest = Time{1} - seconds(2);
#endif
