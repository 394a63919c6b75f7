#pragma once
// Which operations of a program are one call that all ranks of a communicator make: the n-th of each of them there.

#include <cstdint>

#include "replay/program/program.hpp"

namespace plumbline::replay {

// On the communicator, or on files that it has opened: these are counted apart. comm kNone: no such call.
struct CommonCall {
  std::uint32_t comm = kNone;
  bool of_file = false;
};

inline CommonCall common_call(const RankProgram& rank, const Operation& op) {
  if (exchanges_data(op.kind) || op.kind == OpKind::kCommCreate) return {op.comm, false};
  if (is_io(op.kind) && (op.flags & kIoIsCollective) && op.extra != kNone) return {rank.accesses[op.extra].comm, true};
  return {};
}

}  // namespace plumbline::replay
