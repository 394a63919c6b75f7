#pragma once
// The families of the network, one a file. docs/models/measuring-network.md.

#include "bench/ranks/network/cells.hpp"

namespace plumbline::bench::network {

extern const Family kPrtt, kPairs, kStreams, kProtocol, kProgress, kOverheads, kOrder, kQueue, kFrames;

}  // namespace plumbline::bench::network
