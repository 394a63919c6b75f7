#pragma once
// The collectives of a program as calls of all ranks of a communicator together: from what each rank recorded to the
// call that the schedules know. docs/models/collectives.md, "From a recording to a call".

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "replay/collectives/schedules/types.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::collectives {

// The n-th collective that the ranks of an intracommunicator called on it.
struct CollectiveCall {
  std::string_view name;  // "MPI_Allreduce", "MPI_File_write_all"
  std::uint32_t comm = 0;
  std::uint32_t number = 0;               // n
  std::vector<std::uint32_t> operations;  // by rank in the communicator: index of the operation; kNone: not recorded
};

struct WhichCalls {
  bool files = true;        // those on files too, which are counted together with the others
  bool incomplete = false;  // those that not every rank recorded too
};

// In no particular order of time; all of a communicator in theirs. Communicators of one rank are left out.
void for_each_collective(const Program& program, const std::function<void(const CollectiveCall&)>& visit,
                         WhichCalls which = {});

// How a call is read.
struct Reading {
  std::span<const std::uint32_t> nodes;  // by world rank; empty: those of the recording
  // alltoallv and alltoallw without `counts`: each rank has its own (Call::own_sent, own_received).
  bool without_matrix = false;
};

// What the library was asked for, with elements of `type_bytes` bytes: a recording tells bytes only. Nothing where the
// call is none of the schedules' operations, its ranks called different ones, a root or counts are missing, or its
// bytes are not whole elements. The operator is taken to be built in and to commute, as all of MPI's own do.
// MPI_IN_PLACE is seen in (i)alltoall and iallreduce alone, where it changes the algorithm.
std::optional<schedules::Call> call_of(const Program& program, const CollectiveCall& call, std::uint64_t type_bytes,
                                       const Reading& reading = {});

// With elements as large as the bytes allow: of 8 bytes, else of 4, 2 or 1. Most programs compute in doubles; the
// tables compare bytes, and the size of an element counts only where there are fewer elements than ranks.
std::optional<schedules::Call> likely_call_of(const Program& program, const CollectiveCall& call,
                                              const Reading& reading = {});

// The schedules' operation that a call is: iallreduce of "MPI_Iallreduce_c". Nothing: none of them.
std::optional<schedules::Operation> operation_of(std::string_view call);

// Whose tables tell what the recorded library chose: "openmpi", "mpich"; "": of none that is known.
std::string_view library_of(const Program& program);

}  // namespace plumbline::replay::collectives
