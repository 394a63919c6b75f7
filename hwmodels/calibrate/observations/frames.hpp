#pragma once
// The header of a message, from what the kernel counted of the frames of small messages.
// docs/models/calibration-latencies.md.

#include <optional>

#include "bench/results/campaign.hpp"

namespace plumbline::hw::calibration {

// In bytes, of a cell of `frames`: what the frame with the message had beside it, with what Ethernet adds on the wire.
// Nothing where the cell does not tell: the message took several frames, or others went that way whose size is unknown.
std::optional<double> header_in(const bench::Cell& cell);

}  // namespace plumbline::hw::calibration
