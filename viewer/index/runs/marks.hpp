#pragma once
// What must be seen of an operation from far away, however short it is.

#include <cstdint>
#include <span>

#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Bits, as docs/reference/viewer-api.md numbers them.
enum Mark : std::uint8_t {
  kFindingMark = 1,     // one of the worst instances of a finding
  kNotJudgedMark = 2,   // in a comparison; without one nothing is judged, and nothing has this mark
  kUnfinishedMark = 4,  // the process ended in it
  kWithheldMark = 8,    // of a row that looks slower, but waits where waiting says nothing
};

// Sets Runs::marks of all operations. `of_findings`: in any order; those that do not exist are left out.
void set_marks(Runs& runs, std::span<const OperationId> of_findings = {});

// 0 where no marks were set.
inline std::uint8_t marks_of(const Runs& runs, OperationId id) {
  return id.rank < runs.marks.size() ? runs.marks[id.rank][id.operation] : std::uint8_t{0};
}

}  // namespace plumbline::viewer
