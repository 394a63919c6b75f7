#pragma once
// The name of an operation: its rank, and its index on that rank.

#include <compare>
#include <cstdint>

#include "replay/program/program.hpp"

namespace plumbline::viewer {

struct OperationId {
  std::uint32_t rank = replay::kNone, operation = replay::kNone;

  bool exists() const { return operation != replay::kNone; }
  auto operator<=>(const OperationId&) const = default;
};
static_assert(sizeof(OperationId) == 8);

}  // namespace plumbline::viewer
