#pragma once
// What the components of the network can do, from streams and round trips. docs/models/calibration-campaign.md,
// calibration-latencies.md.

#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/network/links.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/parameter.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

struct Cables {
  Parameter<BytesPerSecond> link;    // node to switch, each direction
  Parameter<BytesPerSecond> uplink;  // between switches; unused with one switch
  Parameter<BytesPerSecond> backplane;
  Packets packets;
  bool half_duplex = false;
  bool ordered = false;  // large messages of both directions go one after the other, small ones do not
  std::vector<std::string> notes;
};

// Throws Error (too noisy) where no rate can be told.
Cables fit_cables(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                  const std::string& source);

// What no measurement reached: so far above the cables that it decides nothing.
Parameter<BytesPerSecond> unseen_rate(BytesPerSecond cable);

}  // namespace plumbline::hw::calibration
