// Seconds times seconds are no duration.
// expected: no match for 'operator\*' .*'plumbline::Duration' and 'plumbline::Duration'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr auto kArea = seconds(2) * seconds(3);
#else
constexpr Duration kThrice = seconds(2) * 3;
#endif
