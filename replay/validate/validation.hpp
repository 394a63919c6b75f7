#pragma once
// What `plumbline validate` has found out about a machine, as one plain value: JSON (validation.schema.json), text,
// HTML and JUnit are drawn from it. docs/reference/validation.md explains every member.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/diagnose/finding.hpp"

namespace plumbline::replay::validate {

// What a statement holds the machine against. kStructure: what an ideal form of the call needs. kPeers: like ranks,
// links or nodes. kNominal: a data sheet. kBaseline: an earlier validation. kRule: another measurement of the same
// machine that must not be faster. kWitness: a setting or a fact that was read, not timed.
enum class Reference { kStructure, kPeers, kNominal, kBaseline, kRule, kWitness };

using replay::Confidence;  // kCertain: also what was read
using replay::word;

// A number or a text as it was measured or read, with its name: {"speed", "100", "Mbit/s"}.
struct Datum {
  std::string name, value, unit;

  bool operator==(const Datum&) const = default;
};

// Who has set something.
struct Origin {
  std::string how;         // "file", "environment", "command line", "default"; empty: not known
  std::string file;        // of "file"; of "environment" the name of the variable
  std::uint32_t line = 0;  // in the file, from 1; 0: not known

  bool operator==(const Origin&) const = default;
};

// "set by /etc/openmpi/openmpi-mca-params.conf, line 62", "set by the environment variable OMPI_MCA_btl"; "" where it
// is the default or not known.
std::string text_of(const Origin& origin);

// A fact that deviates, with its raw rows. Alone it is never a finding.
struct Observation {
  std::string id;                   // of the check (catalogue.hpp)
  std::string text;                 // one sentence
  std::string component;            // "/dev/shm", "eth0", "btl"
  std::vector<std::string> places;  // nodes, or pairs of them "n0-n3"; empty: everywhere
  std::vector<Datum> rows = {};
  std::optional<Origin> origin = {};
  bool explained = false;  // part of a diagnosis

  bool operator==(const Observation&) const = default;
};

// A suspect cell that was measured again, beside a healthy twin where there is one. Medians, in `unit`.
struct Retest {
  std::string what;  // "round_trip, 8 B"
  std::string unit = "s";
  double first = 0;
  std::vector<double> again = {}, twin = {};
  bool persists = false;

  bool operator==(const Retest&) const = default;
};

// Lines to set, for each MPI; those of an empty flavour hold for both, or have nothing to do with MPI.
struct Remedy {
  std::vector<std::string> lines, openmpi, mpich;

  bool operator==(const Remedy&) const = default;
};

// A cause with its cost.
struct Diagnosis {
  std::string id;                   // of the check
  std::string title;                // what is wrong, in one sentence, without the cost
  std::string component;            // component of the machine, or setting
  std::vector<std::string> places;  // nodes or pairs; empty: everywhere
  std::string mpi;                  // flavour that it was seen with; empty: both, or none
  Reference reference = Reference::kWitness;
  double cost_s = 0;                       // of the suite, on the rank or ranks of replay::Finding::cost_is_of
  double cost_share = 0;                   // of the length of the suite, 0 to 1
  bool cost_is_bound = false;              // it costs at most that
  std::optional<double> cells_share = {};  // where it is not the seconds that count: of all cells, weighed alike
  std::string cost_basis = {};             // how the cost was worked out
  Confidence confidence = Confidence::kLow;
  std::uint64_t samples = 0;
  double p = 1;  // of the test, adjusted for many; 1: there was none
  std::vector<Retest> retests = {};
  std::vector<Datum> evidence = {};
  std::optional<Origin> origin = {};
  Remedy remedy = {};
  std::optional<double> predicted_gain_s = {};  // of following the remedy, by the replay
  std::optional<double> measured_gain_s = {};   // --try-advice
  std::vector<std::string> one_of = {};         // components that cannot be told apart; empty: it is `component`
  bool fatal = false;                           // nothing was measured on top of it
  std::string suppressed_by = {};               // "suppress.txt:3"; empty: it counts

  bool operator==(const Diagnosis&) const = default;
};

// kPassed: checked, and nothing was found. kNotJudged: it ran, but can say nothing.
enum class CheckState { kPassed, kFound, kCouldNotRun, kNotJudged, kSuppressed };

struct CheckResult {
  std::string id;
  CheckState state = CheckState::kPassed;
  std::string reason = {};  // of what could not run, or is not judged
  double seconds = 0;       // 0: checks are made together, and only stages are timed

  bool operator==(const CheckResult&) const = default;
};

struct StageTime {
  std::string name;  // "pre-flight", "measure", "suite", "diagnose"
  double seconds = 0;
  bool complete = false;
  std::string fault = {};   // why it is not; "" where it is, and where the user has stopped it
  bool cannot_run = false;  // this machine does not let it: ranks die or do not start, a disk is full

  bool operator==(const StageTime&) const = default;
};

// One entry of the suite under one MPI, recorded, replayed and compared.
struct SuiteRun {
  std::string name, mpi;
  double observed_s = 0, expected_s = 0;  // length of the run; of the free replay, with computing as recorded
  double judged_share = 0;                // of the time in calls, 0 to 1
  std::string archive, report;            // paths below the directory of the validation; empty: not there
  std::string fault = {};                 // why there is none
  std::vector<double> again_s = {};       // lengths of further runs of the same entry: their spread, for a baseline

  bool operator==(const SuiteRun&) const = default;
};

struct Machine {
  std::vector<std::string> nodes;
  std::uint32_t ranks = 0, cores_per_node = 0;
  std::vector<std::string> mpis;  // "Open MPI 4.1.4"
  std::string kernel;

  bool operator==(const Machine&) const = default;
};

struct Validation {
  std::string version, created, command;  // of Plumbline; ISO 8601, UTC; as it was called
  std::string level;                      // "quick", "default", "full"
  Machine machine;
  std::vector<StageTime> stages;
  bool interrupted = false;
  std::vector<std::string> disturbances;  // why the machine was not quiet; empty: it was
  std::vector<CheckResult> checks;        // in the order of the catalogue
  std::vector<Diagnosis> diagnoses;       // by cost, greatest first; suppressed ones last
  std::vector<Observation> observations;
  std::vector<SuiteRun> suite;
  double unexplained_s = 0;  // lost by the suite, that no diagnosis explains
  std::string platform;      // path below the directory
  std::vector<std::string> notes;

  double suite_s() const;  // observed, of all runs together
  bool operator==(const Validation&) const = default;
};

// How a library carries a call out where nobody has set it: the same on every machine that has this library.
bool is_of_library(const Diagnosis& diagnosis);

// What cannot be gone on with, then what is wrong here, then what the library does by itself, each by cost, greatest
// first; those that are suppressed last.
void sort_diagnoses(Validation& validation);

// Gives the check of every diagnosis its state: kFound, or kSuppressed where all of its diagnoses are.
void mark_found_checks(Validation& validation);

std::string_view word(Reference reference);
std::string_view word(CheckState state);

}  // namespace plumbline::replay::validate
