#pragma once
// One-way times over a network that is known -> what MPI adds to it, as message ranges.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/observations/curves.hpp"

namespace plumbline::hw::calibration {

struct RangeFitInput {
  Curve one_way;
  Curve sends, receives;                    // durations of the calls; may be empty
  std::optional<std::uint64_t> rendezvous;  // first size that waits for its receiver
  std::function<Duration(Bytes)> route;     // time in the network
  std::string source;                       // of each number, before ": what"
};

struct RangeFit {
  std::vector<MessageRange> ranges;
  std::vector<RangeReport> reports;  // one per range
  std::vector<std::string> notes;
};

// A range for each protocol, cut further where no line is within 10 %. `latency` of each range is the whole of what is
// neither call nor route: where the network is to have part of it, take_latency_out().
RangeFit fit_ranges(const RangeFitInput& input);

// Gives the latency of the first range to the network, whose small messages show it best, but for what that range is to
// keep; others keep what is beyond what was given.
Parameter<Duration> take_latency_out(std::vector<MessageRange>& ranges, Duration keep = {});

}  // namespace plumbline::hw::calibration
