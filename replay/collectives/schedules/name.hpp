#pragma once
// The name of an algorithm from the messages of one call that were observed.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/collectives/schedules/algorithm.hpp"

namespace plumbline::replay::collectives::schedules {

// Per rank, sends and receives in the order in which they were posted, with ranks of the call's communicator. The bytes
// of a receive are those that arrived. `any_source` is not looked at.
struct Observed {
  std::vector<std::vector<Transfer>> ranks;
};

// The algorithms of the library whose sends and receives are equal to the observed ones on every rank: the ordered
// lists of sends and of receives each, of peer and bytes; of receives that were posted for any source within one round
// the order is free. The library's own choice first. Empty: unknown pattern.
std::vector<Algorithm> algorithms_that_fit(std::string_view library, const Call& call, const Observed& observed);

// The first difference between what the algorithm posts and what was observed: "rank 3, send 2: expected 512 B to 5,
// observed 1024 B to 1". Ranks and operations are counted from 0. None: they are equal. Throws Error as schedule_of()
// does.
std::optional<std::string> first_difference(const Algorithm& algorithm, const Call& call, const Observed& observed);

}  // namespace plumbline::replay::collectives::schedules
