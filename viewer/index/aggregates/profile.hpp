#pragma once
// Time by call and call site.

#include <cstdint>
#include <span>
#include <vector>

#include "base/time_sum.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct ProfileRow {
  std::uint16_t call = 0;
  std::uint32_t site = replay::kNone;
  CallKind kind = CallKind::kOther;
  std::uint64_t count = 0, bytes = 0;          // of all operations that lie in the range at least in part
  TimeSum observed, expected, own, inherited;  // inside the range; expected: in the free run
};

// By observed time, longest first.
std::vector<ProfileRow> profile_of(const Runs& runs, TimeRange range, std::span<const std::uint32_t> ranks);

}  // namespace plumbline::viewer
