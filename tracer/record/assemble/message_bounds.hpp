#pragma once
// What the messages of a run say of the clocks of its nodes: each was received after it had been sent.
//
// All spools are read side by side in slices of time, so that what waits for its other end is what was under way. Each
// process reads its own, tells the others the ends of messages between nodes slice by slice, and matches some streams
// of them. Of all messages from one node to another only those are kept that can bound a straight line: the convex hull
// of their travelling times.

#include <vector>

#include "base/team/processes.hpp"
#include "tracer/record/assemble/recording.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/facts.hpp"

namespace plumbline::record {

// `facts` by recording; each recording is loaded by one of the processes, whose own it is. Of recordings of which
// messages are missing (it was off, stopped, or lost something) nothing is said. All processes get the same.
std::vector<MessageBound> message_bounds(const std::vector<Recording>& recordings,
                                         const std::vector<ProcessFacts>& facts, const Clocks& clocks,
                                         Processes& processes);

}  // namespace plumbline::record
