#pragma once
// What is drawn of each operation of a rank, from the columns of the program and of its expectation.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

// Kinds of calls as they are coloured; numbered as in the endpoint `meta`.
enum class CallKind : std::uint8_t {
  kPointToPoint,
  kWait,
  kCollective,
  kMpiIo,
  kPosix,
  kOneSided,
  kCommunicators,
  kOther,
};
inline constexpr std::size_t kCallKinds = 8;
// Of the kinds, and last of the time between calls, compute.
inline constexpr std::array<std::string_view, kCallKinds + 1> kKindNames = {
    "point to point", "wait", "collective", "MPI-IO", "POSIX", "one-sided", "communicators", "other", "compute"};

CallKind kind_of(const replay::Program& program, const replay::Operation& operation);

// Tests and probes that found nothing are in no comparison.
bool is_judged(const Runs& runs, std::uint32_t rank, std::uint32_t operation);

// Of an operation that is not judged; "" without a comparison.
std::string_view why_not_judged(const Runs& runs, std::uint32_t rank, std::uint32_t operation);

struct Facts {
  Duration own;  // where it lies beyond the band, above or below; else 0
  Duration inherited;
  CallKind kind = CallKind::kOther;
  std::uint8_t marks = 0;  // marks.hpp
};

// Of two excesses the one that a reader must see: the larger one, or where none is positive the more negative one.
constexpr bool is_worse(Duration a, Duration b) { return a.ps > 0 || b.ps > 0 ? a > b : a < b; }

// By call of the program, what its name tells.
struct CallFacts {
  std::vector<CallKind> kind;         // of its operations that need nobody else, or that no replay models
  std::vector<std::uint8_t> is_poll;  // asks, and returns at once
};
CallFacts facts_of_calls(const replay::Program& program);

// Reads the columns of one rank. Runs and calls must outlive it.
class RankColumns {
 public:
  RankColumns(const Runs& runs, const CallFacts& calls, std::uint32_t rank);

  Facts of(std::uint32_t operation) const;
  CallKind kind(std::uint32_t operation) const;
  bool is_judged(std::uint32_t operation) const;
  // Of a judged operation; `own` is its own().
  Duration own(std::uint32_t operation) const;
  Duration inherited(std::uint32_t operation, Duration own) const;

 private:
  const CallFacts* calls_;
  const replay::RankProgram* program_;
  const replay::ExpectedRank* expected_ = nullptr;  // null: no comparison
  const std::uint8_t* marks_ = nullptr;
};

}  // namespace plumbline::viewer
