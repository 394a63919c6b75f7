// transfer_time() takes the size first; the other way round it would be a time too.
// expected: could not convert .*from 'plumbline::BytesPerSecond' to 'plumbline::Bytes'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
const Duration taken = transfer_time(BytesPerSecond{1}, Bytes{1});
#else
const Duration taken = transfer_time(Bytes{1}, BytesPerSecond{1});
#endif
