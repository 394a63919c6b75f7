// Two points in time have no sum; a point and a duration have.
// expected: no match for 'operator\+' .*'plumbline::Time' and 'plumbline::Time'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr auto kSum = Time{1} + Time{2};
#else
constexpr Time kSum = Time{1} + picoseconds(2);
#endif
