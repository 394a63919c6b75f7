#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/quantity.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

// Below these factors a difference to the ideal form is not worth a finding.
constexpr std::uint64_t kSplitFactor = 2;
constexpr double kTrafficFactor = 1.25;
// From here on time observed inside POSIX operations is put down to their number even where the model does not.
constexpr std::uint64_t kGrosslySplit = 16;

// All rows of one call at one place in the program: size classes and files together, because the ideal form of a
// collective call needs its operations on other ranks than the recorded one.
struct SplitCall {
  std::vector<const Row*> rows;
  InnerSummary inner;
  std::uint64_t calls = 0, bytes = 0;
  Duration structure, own, cached, device;  // sums over ranks

  std::uint64_t moved() const { return inner.read_bytes + inner.written_bytes; }
  bool is_split() const { return inner.operations >= kSplitFactor * inner.needed; }
  bool moves_more() const { return static_cast<double>(moved()) > kTrafficFactor * static_cast<double>(bytes); }
};

void add(SplitCall& call, const Row& row) {
  call.rows.push_back(&row);
  call.inner.operations += row.inner.operations;
  call.inner.needed += row.inner.needed;
  call.inner.read_bytes += row.inner.read_bytes;
  call.inner.written_bytes += row.inner.written_bytes;
  call.calls += row.judged;
  call.bytes += row.bytes;
  call.structure += row.structure;
  call.own += row.own.total;
  call.cached += row.as_run - row.lower;
  call.device += row.as_run_upper - row.upper;
}

std::vector<SplitCall> split_calls(const Comparison& comparison) {
  std::map<std::tuple<std::string, std::uint32_t, OpKind>, SplitCall> calls;
  for (const Row& row : comparison.rows) {
    if (row.key.kind != OpKind::kIoRead && row.key.kind != OpKind::kIoWrite) continue;
    add(calls[{row.call, row.key.site, row.key.kind}], row);
  }
  std::vector<SplitCall> split;
  for (auto& [key, call] : calls)
    if (call.inner.needed > 0 && (call.is_split() || call.moves_more())) split.push_back(std::move(call));
  return split;
}

std::string what_happened(const SplitCall& call) {
  const Row& row = *call.rows.front();
  const std::string name = row.call + at_site(row);
  if (!call.is_split())
    return fmt::format("{} moved {} where {} were needed", name, format(Bytes{call.moved()}),
                       format(Bytes{call.bytes}));
  const Bytes average{call.moved() / call.inner.operations};
  return fmt::format("{} was split into {} POSIX operations of {} where {} {} needed", name, call.inner.operations,
                     format(average), call.inner.needed, call.inner.needed == 1 ? "was" : "were");
}

std::vector<Evidence> evidence_of(const SplitCall& call, std::uint32_t ranks) {
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  std::vector<Evidence> evidence{
      {"posix_operations", number(call.inner.operations), "1"},
      {"needed_operations", number(call.inner.needed), "1"},
      {"bytes_read", number(call.inner.read_bytes), "B"},
      {"bytes_written", number(call.inner.written_bytes), "B"},
      {"needed_bytes", number(call.bytes), "B"},
      {"mean_operation", call.inner.operations > 0 ? number(call.moved()) / number(call.inner.operations) : 0, "B"},
      {"observed_in_posix", largest_on_one_rank(call.rows, &RankPart::inner_time).seconds(), "s"},
      {"observed", largest_on_one_rank(call.rows, &RankPart::observed).seconds(), "s"},
      {"ideal_cached", largest_on_one_rank(call.rows, &RankPart::lower).seconds(), "s"},
      {"ideal_device", largest_on_one_rank(call.rows, &RankPart::upper).seconds(), "s"},
      {"loss_if_all_cached", call.cached.seconds() / ranks, "s"},
      {"loss_if_all_on_device", call.device.seconds() / ranks, "s"}};
  return evidence;
}

// What the busiest rank spent in POSIX operations beyond the whole of the ideal call.
Duration time_in_pieces(const SplitCall& call) {
  std::map<std::uint32_t, Duration> beyond;
  for (const Row* row : call.rows)
    for (const RankPart& part : row->parts) beyond[part.rank] += part.inner_time - part.upper;
  Duration most;
  for (const auto& [rank, time] : beyond) most = std::max(most, time);
  return most;
}

// Cost by the model where that is worth stating, else by what was observed inside grossly split calls.
bool set_cost(Finding& finding, const SplitCall& call, const Comparison& comparison) {
  const Duration run = comparison.totals.run;
  const Duration model = largest_on_one_rank(call.rows, &RankPart::structure);
  const Duration observed = time_in_pieces(call);
  const std::string what = what_happened(call);
  if (share_of(model, run) >= comparison.options.threshold) {
    finding.cost = model;
    finding.confidence = Confidence::kCertain;
    finding.basis = "operations counted from the recording; cost: as-run less ideal in the model";
    finding.title = fmt::format("{}; this cost {} of {} ({})", what, format(model), format(run),
                                format_percent(share_of(model, run)));
    return true;
  }
  const bool grossly = call.inner.operations >= kGrosslySplit * call.inner.needed;
  if (!grossly || share_of(observed, run) < comparison.options.threshold) return false;
  finding.cost = observed;
  finding.confidence = Confidence::kLow;
  finding.basis =
      "operations counted from the recording; cost: time in them beyond the ideal, which the model does not explain";
  finding.title =
      fmt::format("{}; in these it spent {} of {} ({}) beyond the ideal, of which the model explains {}", what,
                  format(observed), format(run), format_percent(share_of(observed, run)), format(model));
  return true;
}

}  // namespace

std::vector<Finding> split_io(const Comparison& comparison, const Program& observed) {
  std::vector<Finding> findings;
  if (comparison.reference != ReferenceRun::kExpected) return findings;
  for (const SplitCall& call : split_calls(comparison)) {
    const Row& row = *call.rows.front();
    Finding finding;
    if (!set_cost(finding, call, comparison)) continue;
    finding.reference = Reference::kStructure;
    finding.component = "MPI-IO on " + (row.file.empty() ? "an unnamed file" : row.file);
    finding.share = share_of(finding.cost, comparison.totals.run);
    const bool by_model = finding.confidence == Confidence::kCertain;
    finding.share_of_excess = std::min(1.0, share_of(by_model ? call.structure : call.own, all_excess(comparison)));
    finding.evidence = evidence_of(call, comparison.totals.ranks);
    finding.call = row.call;
    finding.site = row.site;
    finding.operations = call.calls;
    finding.ranks = ranks_of(call.rows);
    const bool sieved = row.key.kind == OpKind::kIoWrite && call.inner.read_bytes > 0;
    finding.advice = advice_on_hints(observed, comparison, row, sieved);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::replay
