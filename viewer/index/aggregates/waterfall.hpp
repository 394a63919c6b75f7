#pragma once
// Where the time of a range went, over ranks.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/time_sum.hpp"
#include "viewer/index/pyramid/pyramid.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

enum class TimePart : std::uint8_t {
  kCompute,  // between operations, on a core
  kOffCpu,   // between operations, ready to run, but not scheduled
  kPolling,  // tests and probes that found nothing, and what lies between them
  kOutside,  // before the first and after the last operation of a rank
  kExpected,
  kInherited,
  kStructure,
  kNetworkStack,  // of all but file operations
  kStorageStack,  // of file operations
  kGained,        // by operations below their bracket: negative
  kNotJudged,     // of a recording alone: all operations
  kSetUp,         // start-up, shutdown, creation of communicators, windows and file handles
  kBeyond,        // of a what-if run: waiting, algorithm and hints beyond the expectation
};
inline constexpr std::size_t kTimeParts = 13;

struct TimePartName {
  std::string_view id, name;
};
// In the order of TimePart.
extern const std::array<TimePartName, kTimeParts> kTimePartNames;

struct TimeParts {
  std::array<TimeSum, kTimeParts> parts;
  TimeSum total;  // ranks x range, exactly the sum of the parts

  TimeSum& operator[](TimePart part) { return parts[static_cast<std::size_t>(part)]; }
  TimeSum operator[](TimePart part) const { return parts[static_cast<std::size_t>(part)]; }
};

// Operations that reach beyond the range count in proportion. Of the whole run and all ranks, what
// Comparison::totals tells; but there what is inherited is counted from the lower end of a bracket.
TimeParts time_parts_of(const Runs& runs, TimeRange range, std::span<const std::uint32_t> ranks);

// Of a what-if run, by its own times: `source` has them, and `range` is of its time. A replay has no excess; what an
// operation takes beyond the free run of the expectation is kBeyond, what it takes less is gained. Without an
// expectation nothing is judged.
TimeParts time_parts_of_whatif(const Runs& runs, const PyramidSource& source, TimeRange range,
                               std::span<const std::uint32_t> ranks);

}  // namespace plumbline::viewer
