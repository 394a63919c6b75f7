#pragma once
// The result of a comparison as plain data: rows of like operations, each with its excess and a verdict, and totals.
// docs/models/excess.md defines what is counted, docs/reference/comparison.md every column.

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "base/units.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

enum class Verdict { kAsExpected, kSlower, kFaster, kTooNoisy, kNotJudged };

// What the times are held against.
enum class ReferenceRun { kExpected, kObserved };

struct CompareOptions {
  double threshold = 0.01;             // share of the run below which an excess is not worth a word
  double false_discovery_rate = 0.05;  // over the rows of one comparison
  std::string observed_name = "OBS", reference_name = "EXP";  // for messages
};

// Operations of one row are alike in all of these.
struct RowKey {
  std::uint16_t call = 0;       // index into the observed program's calls
  std::uint8_t size_class = 0;  // 0: no bytes; k: 2^(k-1) <= bytes < 2^k
  OpKind kind = OpKind::kLocal;
  std::uint32_t comm_size = 0;  // 0: no communicator
  std::uint32_t site = kNone;   // index into the observed program's sites
  std::uint32_t file = kNone;   // index into Comparison::files
  auto operator<=>(const RowKey&) const = default;
};

// One of a row's excesses (over the bracket of the expectation), and whether it can be told from noise. Samples are
// operations; for collective calls, whose ranks are not independent, one sample is one call on all its ranks.
struct Effect {
  TimeSum total;                       // sum over operations; own excess may cancel between operations
  TimeSum beyond_above, beyond_below;  // sums of what samples have beyond the band above and below (both >= 0)
  std::uint64_t samples = 0;
  std::uint64_t above = 0, below = 0;          // samples beyond the band
  std::uint64_t far_above = 0, far_below = 0;  // beyond three bands and half of the expected duration
  double p_slower = 1, p_faster = 1;           // sign tests, adjusted for the number of rows
  bool shown = false;                          // that it is slower beyond the band, whether or not that matters
  bool few = false;                            // too few samples for the test to decide: the far_ counts decide instead
  Verdict verdict = Verdict::kNotJudged;
};

// One rank's part of a row; judged operations only.
struct RankPart {
  std::uint32_t rank = 0;
  std::uint64_t operations = 0;
  TimeSum observed, lower, upper, own, stack, structure, inherited;
  TimeSum cached_loss;  // as-run less the ideal in the model, all in the page cache; may be negative
  TimeSum inner_time;   // in inner POSIX data operations
  TimeSum inner_span;   // from the first of them in a call to the end of the last
};

// One judged operation that took longer than its band allows: the place to look at.
struct Instance {
  std::uint32_t rank = 0, operation = 0;
  Duration begin;  // from the begin of the observed run
  Duration own, inherited;

  friend bool operator==(const Instance&, const Instance&) = default;
};

// Inner POSIX data operations (reads and writes) of MPI-IO calls.
struct InnerSummary {
  std::uint64_t operations = 0, needed = 0;  // needed: by the ideal form; for two runs: made by the reference
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t makers = 0;  // calls of ranks that made at least one of them
};

// Where the messages of a row went.
struct Locality {
  TimeSum own_inside, own_between;  // own excess of operations within one node, and between nodes
  std::uint64_t inside = 0, between = 0;
};

struct Row {
  RowKey key;
  std::string call, site, file;
  std::uint64_t operations = 0, judged = 0;
  std::uint64_t bytes = 0;  // of judged operations
  // Sums over judged operations. as_run differs from as_configured where the inside was recorded, and that from the
  // bracket [lower, upper] where another algorithm, or other hints, would be better.
  TimeSum observed, lower, upper, as_run, as_run_upper, as_configured, as_configured_upper, band, inherited;
  TimeSum not_judged;  // observed in the operations that are not judged
  TimeSum structure;   // what algorithm and hints lost
  Effect own;          // observed over the bracket: structure + stack
  Effect stack;        // what hardware and stack lost
  Duration median_own, max_own;
  std::uint64_t carriers = 0;                // smallest number of operations that carry 90 % of what lies above
  double share = 0;                          // own excess over ranks x run length
  bool collective = false, waiting = false;  // waiting: its time depends on other ranks being scheduled
  InnerSummary inner;
  Locality locality;
  std::vector<RankPart> parts;  // ascending by rank
  std::string reason;           // of a verdict that needs one: what is noisy, what shares cores, why not judged
  bool withheld = false;        // looks slower, but it waits, and waiting says nothing here (`reason`)
  std::vector<Instance> instances = {};  // of largest own excess, see instances.hpp

  Verdict verdict() const { return own.verdict; }
};

struct NotJudgedTime {
  std::string reason;
  bool set_up = false;  // start-up, shutdown, creation of communicators, windows and file handles
  std::uint64_t operations = 0;
  TimeSum observed;
};

struct SharedCores {
  std::string node;
  std::uint32_t cores = 0;
  std::vector<std::uint32_t> ranks;
};

struct Totals {
  std::uint32_t ranks = 0;
  Duration run;            // from the first begin to the last end of any operation
  Duration reference_run;  // of the free replay, or of the other run
  std::uint64_t operations = 0, judged_operations = 0, polls = 0;
  // Sums over ranks; together with `outside` (before a rank's first, after its last operation) they make ranks x run.
  // not_judged is without set_up, which is not judged either: start-up, shutdown and creation of handles.
  TimeSum judged, not_judged, set_up, polling, compute, off_cpu, outside;
  std::uint64_t set_up_operations = 0;
  // Judged collectives, without MPI-IO; of these, as-run by the messages that were recorded inside of them.
  std::uint64_t collectives = 0, collectives_by_inner = 0;
  TimeSum collective_time, collective_time_by_inner;  // observed
  TimeSum own, inherited, structure, stack;           // own = structure + stack
  TimeSum gained;  // by operations below their bracket: they count against own and stack
  // operations observed below their bracket by more than the band: the platform is too pessimistic there
  std::uint64_t faster_operations = 0;

  TimeSum rank_time() const { return TimeSum(run) * ranks; }
  // Of the operations above their bracket alone.
  TimeSum lost() const { return own + gained; }
  TimeSum lost_to_stack() const { return stack + gained; }
};

struct Comparison {
  ReferenceRun reference = ReferenceRun::kExpected;
  CompareOptions options;
  Totals totals;
  std::vector<Row> rows;                  // by own excess, greatest first; those not judged last, by time
  std::vector<NotJudgedTime> not_judged;  // by time, greatest first
  std::vector<SharedCores> shared_cores;
  std::vector<TimeSum> off_cpu;           // by rank: ready, but not scheduled
  std::vector<std::string> files;         // names of RowKey::file; digits that count up stand as #
  std::vector<std::uint32_t> file_group;  // index into files, by the program's file index

  bool shares_core(std::uint32_t rank) const;
};

std::string_view word(Verdict verdict);                // "as expected", "slower", ..
std::string size_class_text(std::uint8_t size_class);  // "0 B", "64-128 KiB"

}  // namespace plumbline::replay
