#pragma once
// Whether an access to a file reads or writes.

#include "hwmodels/storage/storage.hpp"
#include "replay/io/file_operation.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// Of an operation that transfers data.
inline hw::Access access_of(const Operation& op) {
  return op.kind == OpKind::kIoRead ? hw::Access::kRead : hw::Access::kWrite;
}

inline hw::Access access_of(io::FileAction action) {
  const bool reads =
      action == io::FileAction::kRead || action == io::FileAction::kVectorRead || action == io::FileAction::kSubmitRead;
  return reads ? hw::Access::kRead : hw::Access::kWrite;
}

}  // namespace plumbline::replay
