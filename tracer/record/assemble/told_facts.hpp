#pragma once
// What processes that assemble one archive tell each other of the recordings that each of them has read: as much as
// everybody needs of all.

#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

// Facts but for those that explain records (base/team/bytes.hpp).
template <class Io>
void told_fields(Io& io, ProcessFacts& facts) {
  io(facts.meta, facts.components, facts.switches, facts.readings, facts.inner_peers, facts.first_tick, facts.last_tick,
     facts.records, facts.announced, facts.dropped_calls, facts.dropped_segments);
}

}  // namespace plumbline::record
