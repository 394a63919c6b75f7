#pragma once
// Who this process is, without a message to any other rank.

#include "base/node/rank_identity.hpp"

namespace plumbline::bench {

// Before MPI_Init: of a world of 0 ranks.
node::RankIdentity identity_before_init();

// When MPI_Init has returned.
node::RankIdentity own_identity();

}  // namespace plumbline::bench
