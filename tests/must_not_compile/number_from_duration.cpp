// A duration becomes a number only by its unit's name.
// expected: cannot convert '(const )?plumbline::Duration' to '(const )?double'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr double kSeconds = milliseconds(5);
#else
constexpr double kSeconds = milliseconds(5).seconds();
#endif
