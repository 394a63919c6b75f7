#pragma once
// Whom an operation waited for: somebody else's operation that had to begin before it could end, and began later than
// it did. Of the observed run and of the free one.

#include <optional>
#include <string_view>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

enum class TimesOf : std::uint8_t { kObserved, kFree };  // free: only of runs that are compared

enum class Why : std::uint8_t {
  kLastToArrive,  // at a collective call
  kLateSender,
  kLateReceiver,
  kOwnExcess,
  kCompute,  // between two operations
  kInCall,   // of a recording alone: time in the call, of which nobody tells how much there should be
};
std::string_view word(Why why);  // "late sender"

struct Waited {
  OperationId on;  // not there: on nobody
  Why why = Why::kLastToArrive;
};

class Waits {
 public:
  // Both must outlive it.
  Waits(const Runs& runs, const Matches& matches, TimesOf which);

  // Which request a wait waited for is known of the observed run, and taken to be the same in the free one.
  Waited of(OperationId id) const;
  replay::OperationTimes times(OperationId id) const;

 private:
  OperationId other_of(OperationId id) const;
  Waited candidate(OperationId id) const;

  const Runs& runs_;
  const Matches& matches_;
  const TimesOf which_;
  // Of the free run, by series: the last of each instance; made when it is asked for.
  mutable std::vector<std::vector<OperationId>> last_;
};

}  // namespace plumbline::viewer
