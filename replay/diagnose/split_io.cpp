#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/quantity.hpp"
#include "replay/compare/pairing/split_runs.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

// Below this factor more bytes than the ideal form moves are not worth a finding.
constexpr double kTrafficFactor = 1.25;
// From here on time observed inside POSIX operations is put down to their number even where the model does not.
constexpr std::uint64_t kGrosslySplit = 16;
// Below this factor it is not told how much more may have been lost, nor that the model explains less.
constexpr double kTellingFactor = 1.25;
// From this part of its time on that joining the pieces takes away, a call says nothing of the speed of the storage.
constexpr double kMostly = 0.5;

// All rows of one call at one place in the program: size classes and files together, because the ideal form of a
// collective call needs its operations on other ranks than the recorded one.
struct SplitCall {
  std::vector<const Row*> rows;
  InnerSummary inner;
  std::uint64_t calls = 0, bytes = 0;
  TimeSum structure, certain, beyond, cached, device;  // sums over ranks
  TimeSum as_run, as_run_upper;                        // by the model, all in the cache and all on the device

  std::uint64_t moved() const { return inner.read_bytes + inner.written_bytes; }
  // Some ranks write for others: aggregators. One operation of each shares the work out; that is no split, whatever one
  // of them could do alone. Where every rank makes its own, nobody aggregates.
  bool is_aggregated() const { return inner.makers < calls; }
  bool is_split(ReferenceRun reference) const {
    const std::uint64_t shared = reference == ReferenceRun::kExpected && is_aggregated() ? inner.makers : 0;
    return inner.operations >= kSplitFactor * std::max(inner.needed, shared);
  }
  // The part of the time in the pieces that the ideal form does without, by the model: the lesser of both cases.
  double saved_part() const {
    return std::clamp(std::min(share_of(cached, as_run), share_of(device, as_run_upper)), 0.0, 1.0);
  }
  bool moves_more() const { return static_cast<double>(moved()) > kTrafficFactor * static_cast<double>(bytes); }
};

// What was lost to structure even if all data was in the page cache.
TimeSum certain_loss(const RankPart& part) { return std::clamp(part.cached_loss, TimeSum{}, part.structure); }

void add(SplitCall& call, const Row& row) {
  call.rows.push_back(&row);
  call.inner.operations += row.inner.operations;
  call.inner.needed += row.inner.needed;
  call.inner.makers += row.inner.makers;
  call.inner.read_bytes += row.inner.read_bytes;
  call.inner.written_bytes += row.inner.written_bytes;
  call.calls += row.judged;
  call.bytes += row.bytes;
  call.structure += row.structure;
  for (const RankPart& part : row.parts) call.certain += certain_loss(part);
  call.beyond += row.own.beyond_above;
  call.as_run += row.as_run;
  call.as_run_upper += row.as_run_upper;
  call.cached += row.as_run - row.lower;
  call.device += row.as_run_upper - row.upper;
}

// A reference run tells how many operations it made, the ideal form how many bytes are needed too.
bool differs(const SplitCall& call, ReferenceRun reference) {
  return call.inner.needed > 0 &&
         (call.is_split(reference) || (reference == ReferenceRun::kExpected && call.moves_more()));
}

std::vector<SplitCall> split_calls(const Comparison& comparison) {
  std::map<std::tuple<std::string, std::uint32_t, OpKind>, SplitCall> calls;
  for (const Row& row : comparison.rows) {
    if (row.key.kind != OpKind::kIoRead && row.key.kind != OpKind::kIoWrite) continue;
    add(calls[{row.call, row.key.site, row.key.kind}], row);
  }
  std::vector<SplitCall> split;
  for (auto& [key, call] : calls)
    if (differs(call, comparison.reference)) split.push_back(std::move(call));
  return split;
}

std::string what_happened(const SplitCall& call, ReferenceRun reference) {
  const Row& row = *call.rows.front();
  const std::string name = row.call + at_site(row);
  if (!call.is_split(reference))
    return fmt::format("{} moved {} where {} were needed", name, format(Bytes{call.moved()}),
                       format(Bytes{call.bytes}));
  const Bytes average{call.moved() / call.inner.operations};
  const std::string operations =
      fmt::format("{} of {}", plural(call.inner.operations, "POSIX operation"), format(average));
  if (reference == ReferenceRun::kObserved)
    return fmt::format("{} made {} where the reference made {}", name, operations, call.inner.needed);
  return fmt::format("{} was split into {} where {} {} needed", name, operations, call.inner.needed,
                     call.inner.needed == 1 ? "was" : "were");
}

std::vector<Evidence> evidence_of(const SplitCall& call, const Comparison& comparison) {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  const bool ideal = comparison.reference == ReferenceRun::kExpected;
  const std::uint32_t ranks = comparison.totals.ranks;
  std::vector<Evidence> evidence{
      {"posix_operations", number(call.inner.operations), "1"},
      {ideal ? "needed_operations" : "reference_operations", number(call.inner.needed), "1"},
      {"bytes_read", number(call.inner.read_bytes), "B"},
      {"bytes_written", number(call.inner.written_bytes), "B"},
      {"needed_bytes", number(call.bytes), "B"},
      {"mean_operation", call.inner.operations > 0 ? number(call.moved()) / number(call.inner.operations) : 0, "B"},
      {"observed_in_posix", largest_on_one_rank(call.rows, &RankPart::inner_time).seconds(), "s"},
      {"observed", largest_on_one_rank(call.rows, &RankPart::observed).seconds(), "s"}};
  const double lower = largest_on_one_rank(call.rows, &RankPart::lower).seconds();
  if (!ideal) {
    evidence.push_back({"reference", lower, "s"});
    return evidence;
  }
  evidence.push_back({"ideal_cached", lower, "s"});
  evidence.push_back({"ideal_device", largest_on_one_rank(call.rows, &RankPart::upper).seconds(), "s"});
  evidence.push_back({"loss_if_all_cached", call.cached.seconds() / ranks, "s"});
  evidence.push_back({"loss_if_all_on_device", call.device.seconds() / ranks, "s"});
  return evidence;
}

// What the busiest rank spent in POSIX operations beyond the whole of the ideal call; never more than the call's own
// excess there.
TimeSum time_in_pieces(const SplitCall& call) {
  std::map<std::uint32_t, std::pair<TimeSum, TimeSum>> by_rank;
  for (const Row* row : call.rows)
    for (const RankPart& part : row->parts) {
      by_rank[part.rank].first += part.inner_time - part.upper;
      by_rank[part.rank].second += part.own;
    }
  TimeSum most;
  for (const auto& [rank, times] : by_rank) most = std::max(most, std::min(times.first, times.second));
  return most;
}

// What joining the pieces would have saved each rank, had the joined ones run as fast as the pieces did by the model's
// measure: on a busy machine, or where writers wait for each other, both take longer than the model says. What the call
// took between its pieces (the library worked, or the rank was not scheduled) goes with them. Never more
// than the call's own excess there.
struct AtObservedSpeed {
  TimeSum most, sum;  // on one rank, and on all
};

AtObservedSpeed saved_at_observed_speed(const SplitCall& call) {
  std::map<std::uint32_t, std::pair<TimeSum, TimeSum>> by_rank;
  for (const Row* row : call.rows)
    for (const RankPart& part : row->parts) {
      by_rank[part.rank].first += part.inner_span;
      by_rank[part.rank].second += part.own;
    }
  AtObservedSpeed saved;
  for (const auto& [rank, times] : by_rank) {
    const TimeSum gone = time_sum_from_seconds(times.first.seconds() * call.saved_part());
    const TimeSum here = std::clamp(gone, TimeSum{}, std::max(times.second, TimeSum{}));
    saved.most = std::max(saved.most, here);
    saved.sum += here;
  }
  return saved;
}

class Cost {
 public:
  Cost(const SplitCall& call, const Comparison& comparison)
      : call_(call),
        comparison_(comparison),
        loss_(largest_on_one_rank(call.rows, &RankPart::structure)),
        certain_(largest_on_one_rank(call.rows, certain_loss)),
        at_observed_speed_(saved_at_observed_speed(call)),
        pieces_(time_in_pieces(call)),
        on_device_(std::min(loss_, largest_on_one_rank(call.rows, &RankPart::inner_time) +
                                       std::max(largest_on_one_rank(call.rows, &RankPart::cached_loss), TimeSum{}))) {}

  // False when nothing was lost that is worth a word, or when the rows are as expected.
  bool set(Finding& finding) const {
    finding.title = what_happened(call_, comparison_.reference);
    const TimeSum everywhere = std::max(call_.structure, TimeSum{});
    if (!set_cost(finding)) return false;
    finding.share = share_of(finding.cost, comparison_.totals.run);
    if (finding.confidence != Confidence::kCertain)
      finding.share_of_excess = part_of_all(std::max(everywhere, finding.cost), comparison_);
    return true;
  }

 private:
  bool set_cost(Finding& finding) const {
    if (!matters(call_.beyond)) return false;
    if (comparison_.reference == ReferenceRun::kObserved)
      return is_shown(call_.rows) && matters(loss_) && by_run(finding);
    if (matters(certain_)) return by_model(finding);
    if (!is_shown(call_.rows)) return false;
    if (call_.inner.operations >= kGrosslySplit * call_.inner.needed && matters(pieces_)) return by_pieces(finding);
    return matters(on_device_) && by_device(finding);
  }

  static bool is_more(TimeSum loss, TimeSum than) {
    return static_cast<double>(loss.ps) > kTellingFactor * static_cast<double>(than.ps);
  }
  bool matters(TimeSum loss) const { return replay::matters(loss, comparison_); }

  bool by_model(Finding& finding) const {
    const bool slower_than_model = is_more(at_observed_speed_.most, certain_);
    finding.cost = std::max(certain_, at_observed_speed_.most);
    finding.confidence = Confidence::kCertain;
    finding.basis = "operations counted from the recording; cost: ";
    finding.basis += slower_than_model ? fmt::format(
                                             "the time from the first to the last, less what the ideal form takes at "
                                             "the same speed; at the speed of the "
                                             "platform {} are lost",
                                             format(certain_))
                                       : "beyond the ideal, as far as the model explains it by them";
    if (is_more(loss_, finding.cost)) {
      if (!slower_than_model) finding.basis += " with all data in the page cache";
      finding.cost_on_device = loss_;
    }
    const TimeSum everywhere = slower_than_model ? at_observed_speed_.sum : call_.certain;
    finding.share_of_excess = part_of_all(std::max(everywhere, finding.cost), comparison_);
    return true;
  }

  bool by_device(Finding& finding) const {
    finding.cost = on_device_;
    finding.confidence = Confidence::kLow;
    finding.basis = fmt::format(
        "operations counted from the recording; the cost is uncertain: the model loses nothing that matters where data "
        "is cached, and up to {} where all of it is on the device, but no more than was spent in the operations",
        format(on_device_));
    finding.cost_is_bound = true;
    return true;
  }

  bool by_pieces(Finding& finding) const {
    finding.cost = pieces_;
    finding.confidence = Confidence::kLow;
    finding.basis = fmt::format(
        "operations counted from the recording; cost: time in them beyond the ideal, of which the model explains {}",
        format(loss_));
    return true;
  }

  bool by_run(Finding& finding) const {
    const auto costliest = std::ranges::max_element(call_.rows, {}, [](const Row* row) { return row->own.total; });
    const Effect& effect = (*costliest)->own;
    finding.cost = loss_;
    finding.confidence = confidence_of(effect);
    finding.basis = "operations counted from both recordings; cost: " + basis_of(comparison_, effect);
    return true;
  }

  const SplitCall& call_;
  const Comparison& comparison_;
  TimeSum loss_, certain_;
  AtObservedSpeed at_observed_speed_;
  TimeSum pieces_;
  TimeSum on_device_;  // the loss in the model towards the device: no more than what the operations really took
};

std::vector<std::string> advice_for(const SplitCall& call, const Comparison& comparison, const Program& observed,
                                    const Program* reference) {
  const Row& row = *call.rows.front();
  if (reference != nullptr) {
    const std::string difference = hints_that_differ(observed, *reference, row);
    if (!difference.empty()) return {difference + ": set them as in the reference run"};
  }
  const bool sieved = row.key.kind == OpKind::kIoWrite && call.inner.read_bytes > 0;
  return advice_on_hints(observed, comparison, row, sieved);
}

}  // namespace

SplitIo split_io(const Comparison& comparison, const Program& observed, const Program* reference) {
  SplitIo result;
  for (const SplitCall& call : split_calls(comparison)) {
    const Row& row = *call.rows.front();
    Finding finding;
    if (!Cost(call, comparison).set(finding)) continue;
    finding.reference = Reference::kStructure;
    finding.component = "MPI-IO on " + (row.file.empty() ? "an unnamed file" : row.file);
    finding.evidence = evidence_of(call, comparison);
    finding.call = row.call;
    finding.site = row.site;
    finding.operations = call.calls;
    finding.ranks = ranks_of(call.rows);
    finding.advice = advice_for(call, comparison, observed, reference);
    point_to(finding, comparison, call.rows);
    // What is certain does not hang on the time of the row.
    if (row.withheld && finding.confidence == Confidence::kLow) finding.withheld = row.reason;
    if (finding.confidence == Confidence::kCertain && call.saved_part() >= kMostly)
      result.explained.insert(call.rows.begin(), call.rows.end());
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace plumbline::replay
