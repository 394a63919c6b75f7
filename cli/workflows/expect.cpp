#include "cli/workflows/expect.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/workflows/bands.hpp"
#include "replay/best_schedule.hpp"
#include "replay/collective_choice.hpp"
#include "replay/judge.hpp"
#include "replay/unanswered.hpp"

namespace plumbline::cli {
namespace {

using replay::Expected;
using replay::ExpectedRank;
using replay::Form;
using replay::Mode;
using replay::Operation;
using replay::OperationTimes;
using replay::OpKind;
using replay::Program;
using replay::ReplayOptions;
using replay::ReplayResult;

bool is_io(const Operation& operation) {
  switch (operation.kind) {
    case OpKind::kIoOpen:
    case OpKind::kIoClose:
    case OpKind::kIoSync:
    case OpKind::kIoRead:
    case OpKind::kIoWrite:
      return true;
    default:
      return false;
  }
}

struct Contents {
  bool io = false, mpi_io = false, inner = false;
};

Contents contents_of(const Program& program) {
  Contents contents;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    for (const Operation& operation : program.rank(rank).operations) {
      if (!is_io(operation)) continue;
      contents.io = true;
      contents.mpi_io = contents.mpi_io || (operation.flags & replay::kIoIsMpi) != 0;
    }
    contents.inner = contents.inner || !program.rank(rank).inner.empty();
  }
  return contents;
}

// An anchored replay in some form, and again with every buffered access on the device where that can differ.
struct Bracket {
  ReplayResult cached;
  std::optional<ReplayResult> device;

  const ReplayResult& on_device() const { return device ? *device : cached; }
};

std::vector<Duration> durations(const std::vector<OperationTimes>& times) {
  std::vector<Duration> result;
  result.reserve(times.size());
  for (const OperationTimes& time : times) result.push_back(time.end - time.begin);
  return result;
}

// An expectation never falls when the device replaces the cache; where queueing in the model says otherwise for a
// single operation, the bracket is the larger of the two.
std::vector<Duration> at_least(std::vector<Duration> values, const std::vector<Duration>& floor) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], floor[i]);
  return values;
}

// What tables and hints decide: other operations differ in that replay by what it did to those before them.
bool is_configurable(const Operation& operation) {
  if (replay::is_data_collective(operation.kind)) return true;
  return (operation.kind == OpKind::kIoRead || operation.kind == OpKind::kIoWrite) &&
         (operation.flags & replay::kIoIsMpi) != 0;
}

void take_as_configured(const replay::RankProgram& program, const Bracket& configured, std::uint32_t rank,
                        ExpectedRank& columns) {
  const std::vector<OperationTimes>&cached = configured.cached.times[rank],
        &device = configured.on_device().times[rank];
  columns.as_configured = columns.lower;
  columns.as_configured_upper = columns.upper;
  for (std::size_t i = 0; i < columns.lower.size(); ++i) {
    if (!is_configurable(program.operations[i]) || columns.not_judged[i] != replay::kNone) continue;
    columns.as_configured[i] = cached[i].end - cached[i].begin;
    columns.as_configured_upper[i] = std::max(device[i].end - device[i].begin, columns.as_configured[i]);
  }
}

// Only what was run by its inner stream: elsewhere that replay differs by what it did to later operations.
void take_as_run(const Bracket& as_run, std::uint32_t rank, ExpectedRank& columns) {
  const std::vector<OperationTimes>&cached = as_run.cached.times[rank], &device = as_run.on_device().times[rank];
  columns.by_inner.assign(columns.lower.size(), 0);
  for (const std::uint32_t i : as_run.cached.by_inner[rank]) {
    columns.by_inner[i] = 1;
    columns.as_run[i] = cached[i].end - cached[i].begin;
    columns.as_run_upper[i] = std::max(device[i].end - device[i].begin, columns.as_run[i]);
  }
}

// The replays of one program, which share what they find out about collectives.
class Replays {
 public:
  Replays(const Program& program, const hw::Platform& platform, const ExpectOptions& options)
      : program_(program),
        platform_(platform),
        options_(options),
        contents_(contents_of(program)),
        best_(std::make_shared<replay::BestSchedules>(platform, replay::place_ranks(program, platform))) {}

  const Contents& contents() const { return contents_; }
  std::uint32_t runs() const { return runs_; }

  ReplayResult run(Mode mode, Form form, hw::CacheCase cache) {
    ++runs_;
    if (options_.progress) options_.progress(runs_);
    ReplayResult result = replay::replay(program_, platform_, options_of(mode, form, cache));
    unanswered_ = result.unanswered;
    return result;
  }

  // Ideally, on a sampled network; every message takes this quantile.
  ReplayResult run_at(double share) {
    ++runs_;
    if (options_.progress) options_.progress(runs_);
    ReplayOptions options = options_of(Mode::kAnchored, Form::kIdeal, hw::CacheCase::kCached);
    options.share = share;
    return replay::replay(program_, platform_, options);
  }

  Bracket bracket(Form form) {
    Bracket both{run(Mode::kAnchored, form, hw::CacheCase::kCached), std::nullopt};
    if (contents_.io) both.device = run(Mode::kAnchored, form, hw::CacheCase::kDevice);
    return both;
  }

  // Whether what is configured may take another time than the ideal.
  bool configuration_matters() const {
    const auto options = [&](Form form) { return options_of(Mode::kAnchored, form, hw::CacheCase::kCached); };
    return contents_.mpi_io ||
           replay::collectives_differ(program_, platform_, options(Form::kIdeal), options(Form::kAsConfigured));
  }

 private:
  ReplayOptions options_of(Mode mode, Form form, hw::CacheCase cache) const {
    ReplayOptions options{.mode = mode, .form = form, .cache = cache, .compute = options_.compute};
    options.choices = options_.choices;
    options.seed = options_.seed;
    options.record_use = mode == Mode::kFree;
    options.device_operations = options.record_use ? options_.device_operations : 0;
    options.best = best_;
    options.unanswered = unanswered_;
    return options;
  }

  const Program& program_;
  const hw::Platform& platform_;
  const ExpectOptions& options_;
  const Contents contents_;
  std::shared_ptr<replay::BestSchedules> best_;
  std::shared_ptr<const replay::Unanswered> unanswered_;  // found by the first replay
  std::uint32_t runs_ = 0;
};

// Nothing for what is not judged: its duration was observed.
void fill_bands(const Program& program, const Spreads& spreads, std::uint32_t rank, ExpectedRank& columns) {
  columns.band.assign(columns.lower.size(), Duration{});
  for (std::size_t i = 0; i < columns.band.size(); ++i) {
    if (columns.not_judged[i] != replay::kNone) continue;
    const double spread = spreads.of(program.rank(rank).operations[i]);
    columns.band[i] = duration_from_seconds(columns.lower[i].seconds() * spread);
  }
}

// On a sampled network, where an operation is expected to take as long as with the median of each message: how far it
// is from that where all its messages belong to the 2.5 % that take the longest, or the least time.
class SampledBand {
 public:
  SampledBand(Replays& replays, const hw::Platform& platform) {
    constexpr double kLeast = 0.025, kMost = 0.975;
    if (platform.network != hw::NetworkKind::kSampled) return;
    least_ = replays.run_at(kLeast).times;
    most_ = replays.run_at(kMost).times;
  }

  void widen(std::uint32_t rank, ExpectedRank& columns) const {
    if (most_.empty()) return;
    const std::vector<Duration> least = durations(least_[rank]), most = durations(most_[rank]);
    for (std::size_t i = 0; i < columns.band.size(); ++i) {
      if (columns.not_judged[i] != replay::kNone) continue;
      columns.band[i] = std::max({columns.band[i], most[i] - columns.lower[i], columns.lower[i] - least[i]});
    }
  }

 private:
  std::vector<std::vector<OperationTimes>> least_, most_;  // by rank; empty on other networks
};

// The index of `reason` in `reasons`, which it joins when it is new. There are few different ones.
std::uint32_t index_of(std::string_view reason, std::vector<std::string>& reasons) {
  auto found = std::find(reasons.begin(), reasons.end(), reason);
  if (found == reasons.end()) found = reasons.insert(found, std::string(reason));
  return static_cast<std::uint32_t>(found - reasons.begin());
}

std::vector<std::uint32_t> reasons_of(const Program& program, const replay::Judge& judge,
                                      const replay::Unanswered* unanswered, std::uint32_t rank,
                                      std::vector<std::string>& reasons) {
  std::vector<std::uint32_t> result(program.rank(rank).operations.size(), replay::kNone);
  for (std::uint32_t operation = 0; operation < result.size(); ++operation) {
    std::string_view why = judge.why_not(rank, operation);
    if (why.empty() && unanswered != nullptr && unanswered->of(rank, operation) != 0) why = replay::Unanswered::kReason;
    if (!why.empty()) result[operation] = index_of(why, reasons);
  }
  return result;
}

}  // namespace

Expectation expect(const Program& program, const hw::Platform& platform, const ExpectOptions& options) {
  Replays replays(program, platform, options);
  Bracket ideal = replays.bracket(Form::kIdeal);
  Expectation result;
  result.free = replays.run(Mode::kFree, Form::kIdeal, hw::CacheCase::kCached);
  const bool is_configured = replays.configuration_matters();
  Bracket configured, as_run;
  if (is_configured) configured = replays.bracket(Form::kAsConfigured);
  if (replays.contents().inner) as_run = replays.bracket(Form::kAsRun);

  const replay::Judge judge(program, platform, options.choices.library);
  const Spreads spreads(program, platform);
  const SampledBand sampled(replays, platform);
  result.columns.ranks.resize(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ExpectedRank& columns = result.columns.ranks[rank];
    columns.lower = durations(ideal.cached.times[rank]);
    columns.upper = at_least(durations(ideal.on_device().times[rank]), columns.lower);
    columns.not_judged = reasons_of(program, judge, ideal.cached.unanswered.get(), rank, result.columns.reasons);
    if (is_configured) take_as_configured(program.rank(rank), configured, rank, columns);
    columns.as_run = is_configured ? columns.as_configured : columns.lower;
    columns.as_run_upper = is_configured ? columns.as_configured_upper : columns.upper;
    if (replays.contents().inner) take_as_run(as_run, rank, columns);
    columns.ideal_io.assign(columns.lower.size(), 0);
    fill_bands(program, spreads, rank, columns);
    sampled.widen(rank, columns);
    columns.free = std::move(result.free.times[rank]);
  }
  for (const replay::IdealIo& needed : replay::ideal_io(program, platform))
    result.columns.ranks[needed.rank].ideal_io[needed.operation] = needed.operations;
  result.runs = replays.runs();
  result.inner_faults = std::move(as_run.cached.inner_faults);
  result.collectives = ideal.cached.collectives;
  result.configured_collectives = is_configured ? configured.cached.collectives : ideal.cached.collectives;
  result.io_remarks = std::move(configured.cached.io_remarks);
  result.anchored = std::move(ideal.cached);
  return result;
}

}  // namespace plumbline::cli
