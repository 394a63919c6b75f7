#pragma once
// Programs of collective calls, made from the calls themselves.

#include <string>
#include <vector>

#include "replay/collectives/schedules/types.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::test {

struct CollectivePlace {
  std::vector<std::uint32_t> nodes;  // by rank: it runs on node "n<number>"
  std::string library = {};          // property of the recording
  bool records_counts = true;        // a rank knows what MPI tells it; else its own bytes only
  bool starts =
      false;  // non-blocking calls are started, and waited for; else they are calls that return when they are over
};

// All ranks begin all calls at 0, one behind the other, on the communicator of all.
Program program_of_calls(const std::vector<collectives::schedules::Call>& calls, const CollectivePlace& place);

// Commutative, built in; alltoallv with different rows, other counts likewise.
collectives::schedules::Call simple_call(collectives::schedules::Operation operation, std::uint32_t ranks,
                                         std::uint64_t count, std::uint64_t type_bytes = 8, std::uint32_t root = 0);

}  // namespace plumbline::replay::test
