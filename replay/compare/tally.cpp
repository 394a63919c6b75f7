#include "replay/compare/tally.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "replay/compare/instances.hpp"
#include "replay/compare/locality.hpp"
#include "replay/compare/pairing/failed_polls.hpp"
#include "replay/compare/result/excess.hpp"
#include "replay/compare/statistics.hpp"
#include "replay/program/set_up.hpp"

namespace plumbline::replay {
namespace {

// Of an operation, or of one collective call on all its ranks.
struct Sample {
  TimeSum own, stack, band, upper, as_run_upper;
};

struct Accumulator {
  explicit Accumulator(const Scratch& scratch) : own_ps(scratch), calls(scratch) {}

  Row row;
  Column<std::int64_t> own_ps;  // per operation, for the median
  Column<Sample> calls;         // collective rows: by occurrence
  std::uint32_t rank = kNone;
  std::size_t occurrence = 0;  // on that rank
};

struct KeyHash {
  std::size_t operator()(const RowKey& key) const {
    std::uint64_t hash = key.call | std::uint64_t{key.size_class} << 16 | std::uint64_t{key.comm_size} << 24;
    hash = (hash ^ key.site) * 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ key.file ^ (hash >> 32)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 29) ^ static_cast<std::uint64_t>(key.kind));
  }
};

bool is_collective(const Operation& operation) {
  return operation.kind == OpKind::kCollective || operation.kind == OpKind::kCommCreate ||
         operation.kind == OpKind::kNeighbourhood || is_win_collective(operation.kind) ||
         (is_io(operation.kind) && (operation.flags & kIoIsCollective) != 0);
}

// Point-to-point, waits and collectives: their time hangs on other ranks being scheduled.
bool is_waiting(const Operation& operation) {
  return operation.kind <= OpKind::kProbe || starts_collective(operation.kind) || is_collective(operation) ||
         is_one_sided(operation.kind);
}

void add_sample(Effect& effect, TimeSum excess, TimeSum band, TimeSum upper) {
  const TimeSum far = TimeSum::of(std::max(band.ps * 3, upper.ps / 2));
  ++effect.samples;
  if (excess > band) {
    ++effect.above;
    effect.beyond_above += excess - band;
  } else if (-excess > band) {
    ++effect.below;
    effect.beyond_below += -excess - band;
  }
  if (excess > band && excess > far) ++effect.far_above;
  if (-excess > band && -excess > far) ++effect.far_below;
}

void add_inner(Row& row, RankPart& part, const RankProgram& program, std::size_t operation) {
  const std::uint64_t before = row.inner.operations;
  Time first, last;
  for (const InnerItem& item : program.inner_of(static_cast<std::uint32_t>(operation))) {
    if (item.kind != InnerKind::kRead && item.kind != InnerKind::kWrite) continue;
    if (row.inner.operations++ == before) first = item.times.begin;
    last = std::max(last, item.times.end);
    (item.kind == InnerKind::kRead ? row.inner.read_bytes : row.inner.written_bytes) += program.access_of(item).bytes;
    part.inner_time += item.times.end - item.times.begin;
  }
  if (row.inner.operations == before) return;
  part.inner_span += last - first;
  ++row.inner.makers;
}

void add_locality(Locality& locality, Place place, Duration own) {
  if (place == Place::kUnknown) return;
  ++(place == Place::kInside ? locality.inside : locality.between);
  (place == Place::kInside ? locality.own_inside : locality.own_between) += own;
}

class Tally {
 public:
  Tally(const Program& observed, const Expected& expected, ReferenceRun reference, const CompareOptions& options)
      : observed_(observed), expected_(expected), keys_(observed), polls_(observed), localities_(observed) {
    result_.reference = reference;
    result_.options = options;
  }

  Comparison run() {
    measure_runs();
    for (std::uint32_t rank = 0; rank < observed_.ranks(); ++rank) add_rank(rank);
    finish_totals();
    finish_rows();
    find_shared_cores();
    result_.files = keys_.files();
    result_.file_group = keys_.file_group();
    return std::move(result_);
  }

 private:
  void measure_runs() {
    result_.totals.ranks = observed_.ranks();
    begin_ = begin_of(observed_);
    result_.totals.run = run_length([&](std::uint32_t rank) { return observed_.rank(rank).times; });
    result_.totals.reference_run =
        run_length([&](std::uint32_t rank) { return std::span<const OperationTimes>(expected_.ranks[rank].free); });
  }

  template <typename TimesOf>
  Duration run_length(TimesOf times_of) const {
    Time begin{std::numeric_limits<std::int64_t>::max()}, end{std::numeric_limits<std::int64_t>::min()};
    for (std::uint32_t rank = 0; rank < observed_.ranks(); ++rank) {
      const std::span<const OperationTimes> times = times_of(rank);
      if (times.empty()) continue;
      begin = std::min(begin, times.front().begin);
      end = std::max(end, times.back().end);
    }
    return end > begin ? end - begin : Duration{};
  }

  void add_rank(std::uint32_t rank) {
    const RankProgram& program = observed_.rank(rank);
    localities_.begin_rank(rank);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      if (i > 0) add_gap(program, i);
      add_operation(rank, i);
    }
    TimeSum& off_cpu = result_.off_cpu.emplace_back();
    for (const OffCpu& off : program.off_cpu) off_cpu += off.delay;
    result_.totals.off_cpu += off_cpu;
  }

  // Time between two operations: compute, unless it is so short that it is part of a loop of polls.
  void add_gap(const RankProgram& program, std::size_t i) {
    constexpr Duration kOfALoop = microseconds(2);
    const Duration gap = std::max(program.times[i].begin - program.times[i - 1].end, Duration{});
    const bool polling = polls_.contains(program.operations[i - 1]) && gap <= kOfALoop;
    (polling ? result_.totals.polling : result_.totals.compute) += gap;
  }

  void add_operation(std::uint32_t rank, std::size_t i) {
    const RankProgram& program = observed_.rank(rank);
    const Operation& operation = program.operations[i];
    const Duration observed = program.times[i].end - program.times[i].begin;
    const Place place = localities_.of(operation);
    if (polls_.contains(operation)) {
      ++result_.totals.polls;
      result_.totals.polling += observed;
      return;
    }
    ++result_.totals.operations;
    Accumulator& row = accumulator(keys_.of(program, operation), operation);
    ++row.row.operations;
    const std::string_view reason = reason_not_judged(observed_, expected_, rank, i);
    if (reason.empty())
      add_judged(row, rank, i, place);
    else
      add_not_judged(row.row, reason, observed, is_set_up(observed_, operation));
  }

  Accumulator& accumulator(const RowKey& key, const Operation& operation) {
    const auto [place, is_new] = rows_.try_emplace(key, expected_.scratch);
    if (is_new) {
      Row& row = place->second.row;
      row.key = key;
      row.call = observed_.call(key.call);
      if (key.site != kNone) row.site = observed_.site(key.site);
      if (key.file != kNone) row.file = keys_.files()[key.file];
      row.collective = is_collective(operation);
      row.waiting = is_waiting(operation);
    }
    return place->second;
  }

  void add_not_judged(Row& row, std::string_view reason, Duration observed, bool set_up) {
    NotJudgedTime& time = not_judged_[{std::string(reason), set_up}];
    ++time.operations;
    time.observed += observed;
    (set_up ? result_.totals.set_up : result_.totals.not_judged) += observed;
    result_.totals.set_up_operations += set_up ? 1 : 0;
    row.not_judged += observed;
    if (row.reason.empty()) row.reason = reason;
  }

  void add_judged(Accumulator& accumulator, std::uint32_t rank, std::size_t i, Place place) {
    const RankProgram& program = observed_.rank(rank);
    const ExpectedRank& columns = expected_.ranks[rank];
    const Duration observed = program.times[i].end - program.times[i].begin;
    const Excess excess = excess_of(observed, columns.lower[i], columns.upper[i], columns.as_run_upper[i]);
    const Duration own = excess.own;
    const Sample sample{own, excess.stack, columns.band[i], columns.upper[i], columns.as_run_upper[i]};
    if (accumulator.rank != rank) {
      accumulator.rank = rank;
      accumulator.occurrence = 0;
      accumulator.row.parts.emplace_back();
      accumulator.row.parts.back().rank = rank;
    }
    Row& row = accumulator.row;
    RankPart& part = row.parts.back();
    add_to_part(part, columns, i, observed, excess);
    add_to_row(row, program.operations[i], columns, i);
    if (exchanges_data(program.operations[i].kind)) add_collective(columns, i, observed);
    add_inner(row, part, program, i);
    add_locality(row.locality, place, own);
    if (own > columns.band[i])
      keep_worst(row.instances, instance_of(observed_, expected_, result_.reference, begin_, rank, i));
    row.max_own = row.judged == 1 ? own : std::max(row.max_own, own);
    accumulator.own_ps.push_back(own.ps);
    if (-own > sample.band) ++result_.totals.faster_operations;
    count_sample(accumulator, sample);
  }

  void add_collective(const ExpectedRank& columns, std::size_t i, Duration observed) {
    Totals& totals = result_.totals;
    ++totals.collectives;
    totals.collective_time += observed;
    if (i >= columns.by_inner.size() || columns.by_inner[i] == 0) return;
    ++totals.collectives_by_inner;
    totals.collective_time_by_inner += observed;
  }

  void add_to_part(RankPart& part, const ExpectedRank& columns, std::size_t i, Duration observed,
                   const Excess& excess) {
    ++part.operations;
    part.observed += observed;
    part.lower += columns.lower[i];
    part.upper += columns.upper[i];
    part.own += excess.own;
    part.stack += excess.stack;
    part.structure += excess.structure;
    part.cached_loss += columns.as_run[i] - columns.lower[i];
    result_.totals.gained += std::max(-excess.own, Duration{});
    if (result_.reference == ReferenceRun::kExpected)
      part.inherited += columns.lower[i] - (columns.free[i].end - columns.free[i].begin);
  }

  static void add_to_row(Row& row, const Operation& operation, const ExpectedRank& columns, std::size_t i) {
    ++row.judged;
    row.bytes += operation.bytes;
    row.as_run += columns.as_run[i];
    row.as_run_upper += columns.as_run_upper[i];
    row.as_configured += columns.configured(i);
    row.as_configured_upper += columns.configured_upper(i);
    row.band += columns.band[i];
    row.inner.needed += columns.ideal_io[i];
  }

  static void count_sample(Accumulator& accumulator, const Sample& sample) {
    if (!accumulator.row.collective) {
      add_sample(accumulator.row.own, sample.own, sample.band, sample.upper);
      add_sample(accumulator.row.stack, sample.stack, sample.band, sample.as_run_upper);
      return;
    }
    if (accumulator.occurrence == accumulator.calls.size()) accumulator.calls.emplace_back();
    Sample& call = accumulator.calls[accumulator.occurrence++];
    call.own += sample.own;
    call.stack += sample.stack;
    call.band += sample.band;
    call.upper += sample.upper;
    call.as_run_upper += sample.as_run_upper;
  }

  void finish_totals() {
    Totals& totals = result_.totals;
    for (const auto& [key, time] : not_judged_)
      result_.not_judged.push_back({key.first, key.second, time.operations, time.observed});
    std::ranges::stable_sort(result_.not_judged, std::greater<>(), &NotJudgedTime::observed);
    for (auto& [key, accumulator] : rows_) finish_sums(accumulator);
    totals.off_cpu = std::min(totals.off_cpu, totals.compute);
    totals.compute -= totals.off_cpu;
    totals.outside = totals.rank_time() - totals.judged - totals.not_judged - totals.set_up - totals.polling -
                     totals.compute - totals.off_cpu;
  }

  void finish_sums(Accumulator& accumulator) {
    Row& row = accumulator.row;
    for (const RankPart& part : row.parts) {
      row.observed += part.observed;
      row.lower += part.lower;
      row.upper += part.upper;
      row.inherited += part.inherited;
      row.structure += part.structure;
      row.own.total += part.own;
      row.stack.total += part.stack;
    }
    for (const Sample& call : accumulator.calls) {
      add_sample(row.own, call.own, call.band, call.upper);
      add_sample(row.stack, call.stack, call.band, call.as_run_upper);
    }
    row.median_own = {median(accumulator.own_ps)};
    row.carriers = carriers(accumulator.own_ps, 0.9);
    Totals& totals = result_.totals;
    row.share = share_of(row.own.total, totals.rank_time());
    totals.judged_operations += row.judged;
    totals.judged += row.observed;
    totals.own += row.own.total;
    totals.stack += row.stack.total;
    totals.structure += row.structure;
    totals.inherited += row.inherited;
  }

  void finish_rows() {
    for (auto& [key, accumulator] : rows_) result_.rows.push_back(std::move(accumulator.row));
    std::ranges::sort(result_.rows, [](const Row& a, const Row& b) {
      if ((a.judged > 0) != (b.judged > 0)) return a.judged > 0;
      if (a.judged == 0 && a.not_judged != b.not_judged) return a.not_judged > b.not_judged;
      if (a.own.total != b.own.total) return a.own.total > b.own.total;
      return std::tie(a.call, a.site, a.file, a.key) < std::tie(b.call, b.site, b.file, b.key);
    });
  }

  void find_shared_cores() {
    std::map<std::uint32_t, SharedCores> nodes;
    for (std::uint32_t rank = 0; rank < observed_.ranks(); ++rank) {
      const RankProgram& program = observed_.rank(rank);
      if (program.cores == 0) continue;
      SharedCores& node = nodes[program.node];
      node.cores = std::max(node.cores, program.cores);
      node.ranks.push_back(rank);
    }
    for (auto& [index, node] : nodes) {
      if (node.ranks.size() <= node.cores) continue;
      node.node = index < observed_.nodes() ? std::string(observed_.node(index)) : "";
      result_.shared_cores.push_back(std::move(node));
    }
  }

  const Program& observed_;
  const Expected& expected_;
  RowKeys keys_;
  FailedPolls polls_;
  Localities localities_;
  std::unordered_map<RowKey, Accumulator, KeyHash> rows_;
  std::map<std::pair<std::string, bool>, NotJudgedTime> not_judged_;  // by reason and whether it is set-up
  Comparison result_;
  Time begin_;  // of the observed run
};

}  // namespace

std::string_view reason_not_judged(const Program& program, const Expected& expected, std::uint32_t rank,
                                   std::size_t operation) {
  const RankProgram& recorded = program.rank(rank);
  if ((recorded.operations[operation].flags & kNotJudged) != 0) {
    const auto reason = std::ranges::lower_bound(recorded.reasons, operation, {}, &Reason::operation);
    const bool found = reason != recorded.reasons.end() && reason->operation == operation;
    return found ? program.reason(reason->text) : "the recording does not tell enough";
  }
  const std::uint32_t expected_reason = expected.ranks[rank].not_judged[operation];
  if (expected_reason < expected.reasons.size()) return expected.reasons[expected_reason];
  if (expected_reason != kNone) return "not judged by the replay";
  if (recorded.operations[operation].kind == OpKind::kCommCreate) return "creation of a communicator is not modelled";
  if (recorded.operations[operation].kind == OpKind::kWinCreate) return "creation of a window is not modelled";
  if (recorded.operations[operation].kind == OpKind::kUnmodelled) return "the replay does not model this call";
  return {};
}

Comparison tally(const Program& observed, const Expected& expected, ReferenceRun reference,
                 const CompareOptions& options) {
  return Tally(observed, expected, reference, options).run();
}

}  // namespace plumbline::replay
