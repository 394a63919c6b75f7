#pragma once
// Since when the other end of each operation of a replay was there: what tells waiting from transfer.

#include <vector>

#include "base/memory/scratch.hpp"
#include "base/units.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli::predict {

// [rank][operation]; the begin of time where it waits for nobody.
using PartnerTimes = std::vector<Column<Time>>;

// A receive waits for the begin of its send; a send by rendezvous for its receive; a wait for the last of those of its
// requests; a collective for the last rank that it depends on: all, of a broadcast or scatter the root, of a gather or
// reduce all at the root and nobody elsewhere. All that grows with the operations lies in `scratch`.
PartnerTimes partner_times(const replay::Program& program, const hw::Platform& platform,
                           const replay::ReplayResult& result, const Scratch& scratch = {});

}  // namespace plumbline::cli::predict
