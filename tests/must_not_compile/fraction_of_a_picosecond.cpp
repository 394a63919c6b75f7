// There is no fraction of a picosecond: who has one says how it is rounded.
// expected: narrowing conversion of .*from 'double' to 'int64_t'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr Duration kShort{1.5};
#else
constexpr Duration kShort = duration_from_seconds(1.5e-12);
#endif
