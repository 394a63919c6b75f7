#pragma once
// What a viewer looks at: a recording, and what it is held against.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/kept_column.hpp"
#include "base/units.hpp"
#include "replay/compare/result/comparison.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"
#include "viewer/index/runs/operation_id.hpp"

namespace plumbline::viewer {

// Part of a component's work: from `begin` to the begin of the next piece it was busy for `busy` of the time, 0 to 1.
struct BusyPiece {
  Time begin;
  float busy = 0;
};

// A link, interface, switch, server, cache or disk of the platform in the expected run.
struct ComponentHistory {
  std::string name, kind;
  std::vector<BusyPiece> pieces;  // ascending
};

struct Runs {
  replay::Program observed;
  // Columns beside the operations of `observed`: of a replay, or of a second observed run, whose operations they pair
  // with ours. Without: a recording alone.
  std::optional<replay::Expected> expected;
  replay::ReferenceRun reference = replay::ReferenceRun::kExpected;
  std::optional<replay::Comparison> comparison;  // there when `expected` is
  std::vector<ComponentHistory> components = {};
  std::vector<std::string> banners = {};  // what a reader has to know before anything else: a damaged archive
  std::string observed_name = {}, reference_name = {};  // as the user named them
  std::vector<KeptColumn<std::uint8_t>> marks = {};     // by rank and operation, bits of Mark: set_marks(), marks.hpp
  std::vector<OperationId> unmatched = {};              // Matches::without_partner

  bool is_compared() const { return expected.has_value(); }
};

// Which operations of the observed run the run that it is held against has: a replay all; another recording not the
// tests and probes that found nothing, and not what is only here (replay/compare/pairing/run_columns.hpp). The columns
// of these have no times of that run. Without a comparison: none. `runs` must outlive it.
class ReferenceOperations {
 public:
  explicit ReferenceOperations(const Runs& runs);
  bool contains(OperationId id) const;

 private:
  const Runs* runs_;
  std::vector<std::uint8_t> is_poll_;  // by call; of another recording
};

// From the first begin to the last end of any operation of the observed run.
struct Span {
  Time begin;
  Duration length;
};
Span span_of(const replay::Program& program);

// The time of the run that we are held against which is shown at the begin of the observed one: of a replay the same,
// of another recording its first begin of an operation that both have. That of the observed run where there is none.
Time reference_zero(const Runs& runs);

}  // namespace plumbline::viewer
