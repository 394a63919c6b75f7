#pragma once
// The collectives of a program as calls of all ranks of a communicator together, and what the library did inside each.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/inside/inner_index.hpp"
#include "replay/mpi/schedules/name.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::inside {

// The n-th collective that the ranks of an intracommunicator called on it.
struct CollectiveCall {
  std::string_view name;  // "MPI_Allreduce", "MPI_File_write_all"
  std::uint32_t comm = 0;
  std::vector<std::uint32_t> operations;  // by rank in the communicator: index of the operation
};

// In no particular order of time; all of a communicator in theirs. Calls that not every rank recorded are left out, and
// so are communicators of one rank.
void for_each_collective(const Program& program, const std::function<void(const CollectiveCall&)>& visit);

// What the library was asked for, with elements of `type_bytes` bytes: a recording tells bytes only. Nothing where the
// call is none of the schedules' operations, or its bytes are not whole elements. A non-blocking collective counts as
// its blocking form. `commutative`, `built_in` and `in_place` are not recorded.
std::optional<mpi::schedules::Call> call_of(const Program& program, const CollectiveCall& call,
                                            std::uint64_t type_bytes);

// The messages that belong to it, peers as ranks of its communicator. Nothing where one has no known peer, bytes or
// completion, or goes to a rank that is not in the communicator.
std::optional<mpi::schedules::Observed> observed_of(const Program& program, const InnerIndex& inner,
                                                    const CollectiveCall& call);

}  // namespace plumbline::replay::inside
