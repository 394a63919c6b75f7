#pragma once
// Which file servers and devices worked in the expected run while an operation on a file was under way there.

#include <cstdint>
#include <vector>

#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct Served {
  std::uint32_t component = 0;  // index into Runs::components
  Time begin, end;              // of the expected run: when it first and last worked within the operation's time
  Duration busy;                // within that time, also for others
};

// Of components that are "server", "cache" or "device", in their order; none of other operations, of a recording alone
// and of two recordings. What a component did is known by steps of the run, so `begin` and `end` are as coarse.
std::vector<Served> served_by(const Runs& runs, OperationId id);

}  // namespace plumbline::viewer
