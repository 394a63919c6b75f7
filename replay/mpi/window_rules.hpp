#pragma once
// How libraries carry out one-sided communication: what the sources of Open MPI 4.1.4 and MPICH 4.0.2 do, as Debian
// builds them (docs/models/replay-one-sided.md).

#include <cstdint>
#include <span>
#include <string_view>

#include "hwmodels/platform/transports.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::mpi {

// kMemory: the origin does everything in the memory of the target (Open MPI's osc/rdma and osc/sm). kQueued: messages,
// held back at the origin until the target has let it in (Open MPI's osc/pt2pt). kMessages: messages that the target
// answers; whoever must be let in waits for it (MPICH's ch4).
enum class WindowWay : std::uint8_t { kMemory, kQueued, kMessages };

// `osc`: Open MPI's parameter of that name, where somebody has set it. `nodes`: of the window's ranks.
WindowWay way_of(std::string_view library, std::string_view osc, std::span<const std::uint32_t> nodes,
                 const hw::Transports& transports);

// Who moves the bytes of a transfer.
enum class Means : std::uint8_t {
  kOwn,        // the origin, within its own memory
  kDirect,     // the origin, in memory that it shares with the target
  kInterface,  // both interfaces
  kAnswered,   // the CPU of the origin, and that of the target as soon as it is in MPI
};

struct TransferFacts {
  WindowKind window = WindowKind::kUnknown;
  OpKind kind = OpKind::kRmaPut;
  std::uint64_t bytes = 0;  // to the target
  bool same_node = false;
  hw::Progress progress = hw::Progress::kInCalls;
};
Means means_of(WindowWay way, const TransferFacts& facts);

// By memory: what is combined element by element with atomic operations, where more is fetched, combined and put.
bool uses_atomics(OpKind kind, std::uint64_t bytes);

// Of posts, locks and their answers, between different ranks.
Means means_of_control(WindowWay way, bool same_node);

}  // namespace plumbline::replay::mpi
