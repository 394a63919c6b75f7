#pragma once
// What processes that assemble one archive tell each other of the recordings that each of them has read: as much as
// everybody needs of all.

#include <string>

#include "base/team/bytes.hpp"
#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

void put_told(ByteWriter& out, const ProcessFacts& facts);
// Facts without those that explain records.
ProcessFacts get_told(ByteReader& in);

}  // namespace plumbline::record
