#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

#include "base/quantity.hpp"
#include "replay/compare/wording.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

// From here on a mean operation is limited by rate rather than by latency, so that a rate says more than a time.
constexpr std::uint64_t kRateMatters = 4096;

std::string_view io_noun(OpKind kind) {
  switch (kind) {
    case OpKind::kIoRead:
      return "reads from";
    case OpKind::kIoWrite:
      return "writes to";
    case OpKind::kIoOpen:
      return "opens in";
    case OpKind::kIoClose:
      return "closes in";
    case OpKind::kIoSync:
      return "syncs in";
    default:
      return "calls on";
  }
}

bool moves_data(OpKind kind) {
  return kind == OpKind::kSend || kind == OpKind::kRecv || kind == OpKind::kSendrecv || kind == OpKind::kIoRead ||
         kind == OpKind::kIoWrite;
}

// Both rates over the time of the busiest rank, so that what ranks do side by side counts as that.
std::string rates(std::span<const Row* const> rows) {
  std::uint64_t bytes = 0;
  Duration observed, expected;
  for (const Row* row : rows) {
    bytes += row->bytes;
    observed += row->observed;
    expected += row->as_run_upper;
  }
  const double busiest = largest_on_one_rank(rows, &RankPart::observed).seconds();
  const double reached = static_cast<double>(bytes) / std::max(busiest, 1e-12);
  const double promised = reached * observed.seconds() / std::max(expected.seconds(), 1e-12);
  const auto rate = [](double value) { return format(BytesPerSecond{static_cast<std::uint64_t>(value)}); };
  const std::string of = rate(promised);
  std::string got = rate(reached);
  const std::string unit = of.substr(of.find(' '));
  if (got.ends_with(unit)) got.erase(got.size() - unit.size());
  return fmt::format("reach {} of {}", got, of);
}

std::string title_of(const Comparison& comparison, std::span<const Row* const> rows) {
  const Row& first = *rows.front();
  const auto judged = static_cast<std::int64_t>(first.judged);
  const std::string more = rows.size() > 1 ? fmt::format(" (and {})", plural(rows.size() - 1, "more row")) : "";
  const bool by_rate = moves_data(first.key.kind) && first.bytes / first.judged >= kRateMatters;
  if (is_io(first.key.kind) && by_rate)
    return fmt::format("{} {} {}", io_noun(first.key.kind), directory_of(first.file), rates(rows));
  std::string what = first.call;
  if (first.bytes > 0) what += fmt::format(" of {}", size_class_text(first.key.size_class));
  if (first.collective && first.key.comm_size > 0) what += " on " + plural(first.key.comm_size, "rank");
  what += at_site(first);
  const char* by = comparison.reference == ReferenceRun::kExpected ? "are expected" : "were taken before";
  if (by_rate) {
    const std::array<const Row*, 1> one{&first};
    return fmt::format("{}: messages {}{}", what, rates(one), more);
  }
  return fmt::format("{} takes {} where {} {}{}", what, format(Duration{first.observed.ps / judged}),
                     format(Duration{first.as_run_upper.ps / judged}), by, more);
}

std::vector<std::string> advice_for(const Comparison& comparison, const std::string& component) {
  if (comparison.reference == ReferenceRun::kObserved)
    return {"repeat both runs a few times in turn before acting on it: one run each cannot tell a change from chance"};
  if (component.starts_with("storage"))
    return {
        "measure the directory again with `plumbline calibrate`: if it now has this rate too, the storage changed; "
        "if not, look for others using it during the run"};
  return {
      "measure the same ranks again with `plumbline calibrate`: if the platform's numbers hold, look at placement, "
      "binding and transport chosen in this run"};
}

// Rows of one component that are each too small for a verdict may matter together.
bool matters(const Comparison& comparison, std::span<const Row* const> rows) {
  Duration total;
  for (const Row* row : rows) total += row->stack.total;
  return share_of(total, comparison.totals.rank_time()) >= comparison.options.threshold;
}

Finding finding_of(const Comparison& comparison, const std::string& component, std::span<const Row* const> rows) {
  const Row& first = *rows.front();
  Finding finding;
  finding.reference = comparison.reference == ReferenceRun::kExpected ? Reference::kNominal : Reference::kBaseline;
  finding.component = component;
  finding.title = title_of(comparison, rows);
  finding.cost = largest_on_one_rank(rows, &RankPart::stack);
  finding.share = share_of(finding.cost, comparison.totals.run);
  finding.confidence = confidence_of(first.stack);
  finding.basis = basis_of(comparison, first.stack);
  finding.call = first.call;
  finding.site = first.site;
  finding.ranks = ranks_of(rows);
  finding.advice = advice_for(comparison, component);
  Duration total, observed, expected;
  for (const Row* row : rows) {
    finding.operations += row->judged;
    total += row->stack.total;
    observed += row->observed;
    expected += row->as_run_upper;
  }
  finding.share_of_excess = part_of_all(total, comparison);
  finding.evidence = {{"rows", static_cast<double>(rows.size()), "1"},
                      {"observed", observed.seconds(), "s"},
                      {"expected", expected.seconds(), "s"},
                      {"excess", total.seconds(), "s"}};
  return finding;
}

}  // namespace

Confidence confidence_of(const Effect& effect) {
  if (effect.p_slower <= 0.01) return Confidence::kHigh;
  return effect.few || !effect.shown ? Confidence::kLow : Confidence::kGood;
}

std::string basis_of(const Comparison& comparison, const Effect& effect) {
  const std::string beyond =
      comparison.reference == ReferenceRun::kExpected ? "the platform's error bar" : "the reference run";
  const std::string samples = plural(effect.samples, "sample");
  if (effect.p_slower <= comparison.options.false_discovery_rate)
    return fmt::format("{} of {} beyond {}; sign test, adjusted p = {:.2g}", effect.above, samples, beyond,
                       effect.p_slower);
  if (!effect.shown) return fmt::format("{} of {} beyond {}, which no test shows", effect.above, samples, beyond);
  return fmt::format("{}, too few for a test, {}far beyond {}", samples, effect.samples == 1 ? "" : "all ", beyond);
}

std::vector<Finding> slower_than_reference(const Comparison& comparison) {
  // Component (and kind of I/O), apart for rows that stand and rows that are withheld for a reason.
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row& row : comparison.rows) {
    if (row.stack.total.ps <= 0 || !(row.stack.shown || row.withheld)) continue;
    const bool io = is_io(row.key.kind);
    const std::string component = io                               ? "storage " + directory_of(row.file)
                                  : row.key.kind == OpKind::kLocal ? "the library's local calls"
                                                                   : transport_of(row.locality);
    groups[{component, io ? std::string(io_noun(row.key.kind)) : "", row.withheld ? row.reason : ""}].push_back(&row);
  }
  std::vector<Finding> findings;
  for (auto& [key, rows] : groups) {
    if (!matters(comparison, rows)) continue;
    std::ranges::stable_sort(rows, std::greater<>(), [](const Row* row) { return row->stack.total; });
    Finding finding = finding_of(comparison, std::get<0>(key), rows);
    finding.withheld = std::get<2>(key);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::replay
