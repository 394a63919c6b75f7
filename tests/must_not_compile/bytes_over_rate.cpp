// Bytes over a rate are rounded in one place and one way, transfer_time(): there is no operator for it.
// expected: no match for 'operator/' .*'plumbline::Bytes' and 'plumbline::BytesPerSecond'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
const auto taken = Bytes{64} / BytesPerSecond{117'000'000};
#else
const Duration taken = transfer_time(Bytes{64}, BytesPerSecond{117'000'000});
#endif
