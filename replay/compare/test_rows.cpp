#include "replay/compare/test_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "replay/compare/result/component.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/compare/statistics.hpp"

namespace plumbline::replay {
namespace {

// The least p-value that so many samples can reach, for so many rows, is still too large.
bool cannot_decide(std::uint64_t samples, std::size_t tests, double rate) {
  return samples < kFewSamples ||
         std::ldexp(static_cast<double>(tests), -static_cast<int>(std::min<std::uint64_t>(samples, 1000))) > rate;
}

void test_rows(std::vector<Row>& rows, Effect Row::*effect, double rate) {
  std::vector<Effect*> tested;
  for (Row& row : rows)
    if ((row.*effect).samples >= kFewSamples) tested.push_back(&(row.*effect));
  std::vector<double> slower, faster;
  for (const Effect* test : tested) {
    slower.push_back(sign_test(test->above, test->samples));
    faster.push_back(sign_test(test->below, test->samples));
  }
  slower = benjamini_hochberg(slower);
  faster = benjamini_hochberg(faster);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i]->p_slower = slower[i];
    tested[i]->p_faster = faster[i];
  }
  for (Row& row : rows) (row.*effect).few = cannot_decide((row.*effect).samples, tested.size(), rate);
}

// Every sample beyond three bands and half of what was expected, where there are too few for a test.
bool is_shown(const Effect& effect, double p, std::uint64_t far, double rate) {
  return p <= rate || (effect.few && far == effect.samples);
}

void test_rows(Effect& effect, TimeSum rank_time, const CompareOptions& options) {
  if (effect.samples == 0) return;
  const double rate = options.false_discovery_rate;
  const double total = share_of(effect.total, rank_time);
  effect.shown = effect.total.ps > 0 && is_shown(effect, effect.p_slower, effect.far_above, rate);
  effect.verdict = Verdict::kAsExpected;
  if (share_of(effect.beyond_above, rank_time) >= options.threshold)
    effect.verdict = effect.shown && total >= options.threshold ? Verdict::kSlower : Verdict::kTooNoisy;
  else if (share_of(effect.beyond_below, rank_time) >= options.threshold && -total >= options.threshold &&
           is_shown(effect, effect.p_faster, effect.far_below, rate))
    effect.verdict = Verdict::kFaster;
}

const SharedCores* shared_by(const Comparison& comparison, const Row& row) {
  for (const RankPart& part : row.parts)
    for (const SharedCores& node : comparison.shared_cores)
      if (std::ranges::binary_search(node.ranks, part.rank)) return &node;
  return nullptr;
}

std::string noise_of(const Row& row) {
  const std::string samples = plural(row.own.samples, row.collective ? "call" : "operation");
  if (row.own.few && row.own.above == row.own.samples)
    return fmt::format("only {}, and not {}far beyond the expectation", samples, row.own.samples == 1 ? "" : "all ");
  return fmt::format("{} of {} beyond the band; {} of {} {} 90 % of it", row.own.above, samples, row.carriers,
                     plural(row.judged, "operation"), row.carriers == 1 ? "carries" : "carry");
}

// No verdict of slower can stand on such a row.
void withhold(Row& row, std::string reason) {
  row.withheld = true;
  if (row.own.verdict == Verdict::kSlower) row.own.verdict = Verdict::kTooNoisy;
  if (row.stack.verdict == Verdict::kSlower) row.stack.verdict = Verdict::kTooNoisy;
  row.reason = std::move(reason);
}

bool looks_slow(const Row& row) { return row.waiting && (row.own.shown || row.stack.shown); }

// Waiting of ranks that share cores.
void withhold_shared(const Comparison& comparison, Row& row) {
  if (!looks_slow(row) && !(row.waiting && row.own.verdict == Verdict::kTooNoisy)) return;
  if (const SharedCores* node = shared_by(comparison, row)) withhold(row, why_waiting_is_withheld(*node));
}

// Waiting in one component, of which at least half may be time that its ranks were ready but not scheduled.
void withhold_descheduled(const Comparison& comparison, const std::vector<Row*>& rows) {
  std::set<std::uint32_t> ranks;
  TimeSum own, stack, off_cpu;
  for (const Row* row : rows) {
    own += row->own.total;
    stack += row->stack.total;
    for (const RankPart& part : row->parts) ranks.insert(part.rank);
  }
  for (const std::uint32_t rank : ranks) off_cpu += comparison.off_cpu[rank];
  if (off_cpu.ps <= 0 || off_cpu * 2 < stack) return;
  for (Row* row : rows) {
    // What algorithm and hints lost was counted: the row stays slower where that is most of it.
    const Verdict verdict = row->own.verdict;
    withhold(*row, why_waiting_is_withheld(off_cpu));
    if (off_cpu * 2 < own) row->own.verdict = verdict;
  }
}

void withhold(Comparison& comparison) {
  std::map<std::string, std::vector<Row*>> waiting;
  for (Row& row : comparison.rows) {
    withhold_shared(comparison, row);
    if (row.withheld || !looks_slow(row)) continue;
    if (comparison.reference == ReferenceRun::kObserved && !is_io(row.key.kind))
      withhold(row, std::string(kTwoRunsCannotTell));
    else
      waiting[component_of(row)].push_back(&row);
  }
  for (const auto& [component, rows] : waiting) withhold_descheduled(comparison, rows);
}

}  // namespace

void test_rows(Comparison& comparison) {
  test_rows(comparison.rows, &Row::own, comparison.options.false_discovery_rate);
  test_rows(comparison.rows, &Row::stack, comparison.options.false_discovery_rate);
  const TimeSum rank_time = comparison.totals.rank_time();
  for (Row& row : comparison.rows) {
    test_rows(row.own, rank_time, comparison.options);
    test_rows(row.stack, rank_time, comparison.options);
    if (row.own.verdict == Verdict::kTooNoisy) row.reason = noise_of(row);
  }
  withhold(comparison);
}

}  // namespace plumbline::replay
