// An amount of data is no time.
// expected: no match for 'operator\+=' .*'plumbline::Duration' and 'plumbline::Bytes'
#include "base/units.hpp"

using namespace plumbline;

#ifdef WRONG
void add(Duration& time, Bytes size) { time += size; }
#else
void add(Duration& time, Bytes size) { time += transfer_time(size, BytesPerSecond{1'000'000}); }
#endif
