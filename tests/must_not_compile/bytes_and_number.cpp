// A number beside an amount of data may be of bits, of KiB or of elements.
// expected: no match for 'operator\+' .*'plumbline::Bytes' and 'int'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
constexpr auto kMessage = Bytes{64} + 8;
#else
constexpr Bytes kMessage = Bytes{64} + Bytes{8};
#endif
