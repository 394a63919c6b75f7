#pragma once
// What the library did inside each collective of a program (replay/collectives/collective_call.hpp).

#include <optional>

#include "replay/collectives/collective_call.hpp"
#include "replay/collectives/recorded/inner_index.hpp"
#include "replay/collectives/schedules/name.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::collectives::recorded {

// The messages that belong to it, peers as ranks of its communicator. Nothing where one has no known peer, bytes or
// completion, or goes to a rank that is not in the communicator.
std::optional<schedules::Observed> observed_of(const Program& program, const InnerIndex& inner,
                                               const CollectiveCall& call);

}  // namespace plumbline::replay::collectives::recorded
