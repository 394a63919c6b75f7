// There are no negative amounts of data.
// expected: narrowing conversion of '-1' from 'int' to 'uint64_t'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr Bytes kOwed{-1};
#else
constexpr Bytes kOwed{1};
#endif
