#pragma once
// What one rank did, and the communicators that it did it in, as views into a program file.

#include <cstddef>
#include <cstdint>
#include <span>

#include "replay/program/records.hpp"

namespace plumbline::replay {

struct RankProgram {
  std::span<const Operation> operations;
  std::span<const OperationTimes> times;         // observed, same length
  std::span<const std::uint32_t> request_lists;  // at an index: n, then n slots
  std::span<const SendrecvTail> sendrecvs;
  std::span<const CollectiveTail> collectives;
  std::span<const std::uint64_t> counts;
  std::span<const IoAccess> accesses;
  std::span<const InnerItem> inner;
  std::span<const InnerMessage> inner_messages;
  std::span<const InnerAccess> inner_accesses;
  std::span<const OffCpu> off_cpu;
  std::span<const Reason> reasons;  // of operations flagged kNotJudged
  std::uint32_t request_slots = 0;  // slots are dense: 0 .. request_slots-1, used again after completion
  std::uint32_t node = 0;           // index into nodes(): where the rank ran
  std::uint32_t processor = 0;      // likewise: MPI_Get_processor_name; the node's name where that was not recorded
  std::uint32_t cores = 0;          // that its node offered to the program; 0: unknown
  std::uint32_t gap_cost_ps = 0;    // of each gap between two operations, what was the tracer and not computation
  std::uint32_t inner_slots = 0;    // of inner messages
  std::span<const NeighbourTail> neighbourhoods = {};
  std::span<const Neighbour> neighbours = {};
  std::span<const RmaTail> rma = {};
  std::span<const std::uint32_t> groups = {};  // at an index: n, then n ranks of the window's communicator

  std::span<const std::uint32_t> waits_for(const Operation& wait) const;
  // Of a neighbourhood collective.
  std::span<const Neighbour> sends_to(const Operation& op) const;
  std::span<const Neighbour> receives_from(const Operation& op) const;
  // The slot of what a starts_collective() operation starts.
  std::uint32_t request_of(const Operation& start) const {
    return start.kind == OpKind::kNonBlockingCollective ? collectives[start.extra].request
                                                        : neighbourhoods[start.extra].request;
  }
  std::span<const std::uint32_t> group_of(const Operation& post_or_start) const;
  std::span<const InnerItem> inner_of(std::uint32_t operation) const;
  const InnerAccess& access_of(const InnerItem& posix) const { return inner_accesses[posix.index]; }
};

struct CommView {
  std::span<const std::uint32_t> members;         // world ranks
  std::span<const std::uint32_t> remote_members;  // intercommunicators
};

// The group that this rank, which belongs to the communicator, is in; and the ranks that it sends to and receives from:
// of an intercommunicator the other group.
std::span<const std::uint32_t> group_of(const CommView& comm, std::uint32_t world_rank);
std::span<const std::uint32_t> peers_of(const CommView& comm, std::uint32_t world_rank);

}  // namespace plumbline::replay
