#pragma once
// Recordings in the text form, alone or held against an expectation that is changed by hand.

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

#include "replay/compare/compare.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/operation_id.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

inline void PrintTo(const OperationId& id, std::ostream* out) { *out << "{" << id.rank << ", " << id.operation << "}"; }

inline TimeRange range_of_us(std::int64_t begin, std::int64_t end) {
  return {{microseconds(begin).ps}, {microseconds(end).ps}};
}

inline Runs alone(replay::Program program) {
  return {.observed = std::move(program), .expected = {}, .comparison = {}};
}

inline Runs compared(replay::Program program, replay::Expected expected,
                     replay::ReferenceRun reference = replay::ReferenceRun::kExpected) {
  replay::Comparison comparison = replay::compare_columns(program, expected, reference, {});
  return {.observed = std::move(program),
          .expected = std::move(expected),
          .reference = reference,
          .comparison = std::move(comparison)};
}

}  // namespace plumbline::viewer
