#pragma once
// What streams across the sockets of nodes carried, one alone and several at once. docs/models/calibration-sockets.md.

#include <vector>

#include "base/units.hpp"
#include "hwmodels/calibrate/structure/sockets.hpp"
#include "hwmodels/calibrate/structure/streams.hpp"

namespace plumbline::hw::calibration {

// Streams there and back at once, B/s.
struct BothRates {
  double crossing = 0;  // all that crossed,
  double alone = 0;     // what as many streams carry alone,
  double socket = 0;    // and what the busiest socket does at least for them, as it did what stayed in it meanwhile
};

// In B/s, headers included, at the largest size of each; 0: not measured.
struct CrossingRates {
  double alone = 0;             // one stream
  double together = 0;          // several from one socket to one other
  double apart = 0;             // two streams of four sockets
  std::vector<BothRates> both;  // for each number of streams at once
  double spread = 0;
};

// `streams`: of these observations. `local`: of messages in one socket.
CrossingRates crossing_rates(const Streams& streams, const Observations& observations, const SocketGroup& group,
                             Bytes header, BytesPerSecond local);

}  // namespace plumbline::hw::calibration
