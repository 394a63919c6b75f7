#pragma once
// What of an operation is exported, with names as everybody outside knows them.

#include <cstdint>
#include <optional>

#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct ExportedOperation {
  const replay::Operation* operation = nullptr;
  std::optional<std::uint32_t> peer, comm_size;  // world rank of the other end, or of the root; ranks
  std::optional<std::int32_t> tag;
  std::uint32_t file = replay::kNone;  // index into the program's files
};

ExportedOperation exported(const replay::Program& program, OperationId id);

// Of a whole export.
struct ExportSummary {
  std::uint64_t operations = 0;
  std::uint64_t messages = 0;   // drawn from sender to receiver, in all runs
  std::uint64_t backwards = 0;  // not drawn: received before they were sent (delivery.hpp)
};

}  // namespace plumbline::viewer
