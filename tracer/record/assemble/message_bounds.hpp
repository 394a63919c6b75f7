#pragma once
// What the messages of a run say of the clocks of its nodes: each was received after it had been sent.
//
// All spools are read side by side in slices of time, so that what waits for its other end is what was under way. Of
// all messages from one node to another only those are kept that can bound a straight line: the convex hull of their
// travelling times.

#include <vector>

#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

// `facts` by recording. Of processes of which messages are missing (recording was off, stopped, or lost something)
// nothing is said.
std::vector<MessageBound> message_bounds(const std::vector<Recording>& recordings,
                                         const std::vector<ProcessFacts>& facts, const Clocks& clocks);

}  // namespace plumbline::record
