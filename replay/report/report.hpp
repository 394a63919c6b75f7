#pragma once
// The report of a comparison: one plain value, from which JSON (report.schema.json), text and every other face are
// drawn.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/time_sum.hpp"
#include "replay/compare/result/comparison.hpp"
#include "replay/diagnose/finding.hpp"
#include "replay/expect/columns/component_totals.hpp"
#include "replay/program/failed_calls.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

struct NodeFact {
  std::string name;
  std::uint32_t ranks = 0, cores = 0;  // cores 0: unknown
};

// Operations that the anchored replay could not start at their observed time: the model was slower than the world.
struct ModelLateness {
  std::uint64_t operations = 0;
  TimeSum sum;
};

struct RunFacts {
  std::string observed, reference;  // as the user named them
  std::string program, library, creator;
  std::string reference_program, reference_library;  // of a second observed run; else empty
  std::string platform, schedules;                   // empty for two observed runs
  std::uint32_t ranks = 0;
  std::vector<NodeFact> nodes;
  std::vector<std::string> lacks;  // what the recording does not tell
  std::uint64_t lost_records = 0;  // that the tracer could not keep
};

struct Report {
  ReferenceRun reference = ReferenceRun::kExpected;
  CompareOptions options;
  RunFacts facts;
  Totals totals;
  std::optional<ModelLateness> lateness;
  std::vector<Finding> findings, withheld;
  std::vector<Row> rows;  // by own excess, greatest first
  std::vector<NotJudgedTime> not_judged;
  std::vector<SharedCores> shared_cores;
  std::vector<std::string> notes;
  std::vector<ComponentTotals> components = {};  // of the platform, longest busy first; of two observed runs none
  std::vector<FailedCalls> failed_calls = {};    // of the observed run, the most frequent first
};

// How a note begins that tells that the recording ends before the program did.
inline constexpr std::string_view kIncomplete = "incomplete: ";

// Whether there is such a note.
bool is_incomplete(const Report& report);

// kFindings when something is found; kTooNoisy when nothing is, but rows that matter are too noisy or have too few
// samples, nothing could be judged, or the run is incomplete; else kAsExpected.
ExitCode exit_code(const Report& report);

// The answer in one sentence.
std::string verdict_sentence(const Report& report);

// Whether a row is shown: local calls keep their observed time in an expected archive, so there is nothing to say of
// them, unless another run took another time.
bool is_worth_a_line(const Row& row);

// Part of the expected run in which the component was busy, 0 to 1.
double busy_share(const Report& report, const ComponentTotals& component);

// Part of the time in calls that is judged, 0 to 1; without what sets the program up. 1 where no time was in calls.
double judged_share(const Report& report);

}  // namespace plumbline::replay
