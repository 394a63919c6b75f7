// A point in time moves on by a duration, not by another point.
// expected: no match for 'operator\+=' .*'plumbline::Time' and 'plumbline::Time'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
void advance(Time& now, Time by) { now += by; }
#else
void advance(Time& now, Duration by) { now += by; }
#endif
