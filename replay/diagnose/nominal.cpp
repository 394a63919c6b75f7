#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <tuple>

#include "base/quantity.hpp"
#include "replay/compare/result/component.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/compare/statistics.hpp"
#include "replay/compare/test_rows.hpp"
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

// In B/s, both over the time of the busiest rank, so that what ranks do side by side counts as that.
struct Rates {
  double reached = 0, promised = 0;
};

Rates rates_of(std::span<const Row* const> rows) {
  std::uint64_t bytes = 0;
  TimeSum observed, expected;
  for (const Row* row : rows) {
    bytes += row->bytes;
    observed += row->observed;
    expected += row->as_run_upper;
  }
  const double busiest = largest_on_one_rank(rows, &RankPart::observed).seconds();
  const double reached = static_cast<double>(bytes) / std::max(busiest, 1e-12);
  return {reached, reached * observed.seconds() / std::max(expected.seconds(), 1e-12)};
}

std::string text_of(const Rates& rates) {
  const auto rate = [](double value) { return format(BytesPerSecond{static_cast<std::uint64_t>(value)}); };
  const std::string of = rate(rates.promised);
  std::string got = rate(rates.reached);
  const std::string unit = of.substr(of.find(' '));
  if (got.ends_with(unit)) got.erase(got.size() - unit.size());
  return fmt::format("reach {} of {}", got, of);
}

bool is_told_by_rate(const Row& row) { return moves_data(row.key.kind) && row.bytes / row.judged >= kRateMatters; }

std::string title_of(const Comparison& comparison, std::span<const Row* const> rows) {
  const Row& first = *rows.front();
  const std::string more = rows.size() > 1 ? fmt::format(" (and {})", plural(rows.size() - 1, "more row")) : "";
  const bool by_rate = is_told_by_rate(first);
  if (is_io(first.key.kind) && by_rate)
    return fmt::format("{} {} {}", io_noun(first.key.kind), directory_of(first.file), text_of(rates_of(rows)));
  std::string what = first.call;
  if (first.bytes > 0) what += fmt::format(" of {}", size_class_text(first.key.size_class));
  if (first.collective && first.key.comm_size > 0) what += " on " + plural(first.key.comm_size, "rank");
  what += at_site(first);
  const char* by = comparison.reference == ReferenceRun::kExpected ? "are expected" : "were taken before";
  if (by_rate) {
    const std::array<const Row*, 1> one{&first};
    return fmt::format("{}: messages {}{}", what, text_of(rates_of(one)), more);
  }
  return fmt::format("{} takes {} where {} {}{}", what, format(first.observed.mean(first.judged)),
                     format(first.as_run_upper.mean(first.judged)), by, more);
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

// What the stack lost in rows of one component, taken as one; without the test.
Effect pooled(std::span<const Row* const> rows) {
  Effect pool;
  for (const Row* row : rows) {
    pool.total += row->stack.total;
    pool.beyond_above += row->stack.beyond_above;
    pool.samples += row->stack.samples;
    pool.above += row->stack.above;
  }
  return pool;
}

bool matters(const Comparison& comparison, TimeSum loss) {
  return share_of(loss, comparison.totals.rank_time()) >= comparison.options.threshold;
}

// A row that is slower as a whole and in what the stack lost.
bool is_slower(const Row& row) { return row.verdict() == Verdict::kSlower && row.stack.verdict == Verdict::kSlower; }

bool is_shown(const Row& row) { return is_slower(row) && !row.stack.few; }

// `effect`: what the confidence stands on.
Finding finding_of(const Comparison& comparison, const std::string& component, std::span<const Row* const> rows,
                   const Effect& effect) {
  const Row& first = *rows.front();
  Finding finding;
  finding.reference = comparison.reference == ReferenceRun::kExpected ? Reference::kNominal : Reference::kBaseline;
  finding.component = component;
  finding.title = title_of(comparison, rows);
  finding.cost = largest_on_one_rank(rows, &RankPart::stack);
  finding.share = share_of(finding.cost, comparison.totals.run);
  finding.confidence = confidence_of(effect);
  finding.basis = basis_of(comparison, effect);
  finding.call = first.call;
  finding.site = first.site;
  finding.ranks = ranks_of(rows);
  finding.advice = advice_for(comparison, component);
  point_to(finding, comparison, rows);
  TimeSum total, observed, expected;
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
  if (first.key.kind == OpKind::kIoWrite && is_told_by_rate(first))
    finding.evidence.push_back({std::string(kRateWritten), rates_of(rows).reached, "B/s"});
  return finding;
}

// Of rows of one component, the costliest first. None where neither one of them nor all together are slower.
std::optional<Finding> judged(const Comparison& comparison, const std::string& component,
                              std::span<const Row* const> rows, std::size_t tests) {
  const auto shown = std::ranges::find_if(rows, [](const Row* row) { return is_shown(*row); });
  if (shown != rows.end()) return finding_of(comparison, component, rows, (*shown)->stack);
  Effect pool = pooled(rows);
  const bool by_size = std::ranges::any_of(rows, [](const Row* row) { return is_slower(*row); });
  const bool relevant = matters(comparison, pool.beyond_above);
  if (pool.samples >= kFewSamples)
    pool.p_slower = std::min(1.0, sign_test(pool.above, pool.samples) * static_cast<double>(tests));
  pool.shown = pool.p_slower <= comparison.options.false_discovery_rate;
  if (pool.shown && relevant) return finding_of(comparison, component, rows, pool);
  if (!by_size) return std::nullopt;
  Finding finding = finding_of(comparison, component, rows, rows.front()->stack);
  finding.withheld = "only " + plural(pool.samples, "sample");
  return finding;
}

}  // namespace

std::vector<Finding> slower_than_reference(const Comparison& comparison, const std::set<const Row*>& explained) {
  // Component (and kind of I/O), apart for rows that stand and rows that are withheld for a reason.
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const Row*>> groups;
  for (const Row& row : comparison.rows) {
    if (explained.contains(&row) || row.stack.total.ps <= 0 || !(row.stack.shown || row.withheld)) continue;
    const bool io = is_io(row.key.kind);
    const std::string component = component_of(row);
    groups[{component, io ? std::string(io_noun(row.key.kind)) : "", row.withheld ? row.reason : ""}].push_back(&row);
  }
  std::vector<Finding> findings;
  for (auto& [key, rows] : groups) {
    if (!matters(comparison, pooled(rows).total)) continue;
    std::ranges::stable_sort(rows, std::greater<>(), [](const Row* row) { return row->stack.total; });
    const auto& [component, noun, withheld] = key;
    if (withheld.empty()) {
      if (auto finding = judged(comparison, component, rows, groups.size())) findings.push_back(std::move(*finding));
      continue;
    }
    findings.push_back(finding_of(comparison, component, rows, rows.front()->stack));
    findings.back().withheld = withheld;
  }
  return findings;
}

}  // namespace plumbline::replay
