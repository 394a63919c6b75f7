#pragma once
// The families of the network, one a file. docs/operations-measured.md, "What a network is measured by".

#include "bench/ranks/network/cells.hpp"

namespace plumbline::bench::network {

extern const Family kPrtt, kPairs, kStreams, kProtocol, kProgress, kOverheads, kOrder, kQueue, kFrames;

}  // namespace plumbline::bench::network
