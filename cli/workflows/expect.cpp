#include "cli/workflows/expect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/workflows/bands.hpp"
#include "hwmodels/network_models.hpp"
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

Column<Duration> durations(const Column<OperationTimes>& times) {
  Column<Duration> result(times.get_allocator());
  result.reserve(times.size());
  for (const OperationTimes& time : times) result.push_back(time.end - time.begin);
  return result;
}

// What tables and hints decide: other operations differ in that replay by what it did to those before them.
bool is_configurable(const Operation& operation) {
  if (replay::is_data_collective(operation.kind)) return true;
  return (operation.kind == OpKind::kIoRead || operation.kind == OpKind::kIoWrite) &&
         (operation.flags & replay::kIoIsMpi) != 0;
}

// The lower bound, with all data in the page cache, or the upper one, with all of it on the device.
enum class Side { kLower, kUpper };

void take_ideal(const ReplayResult& ideal, Side side, std::vector<ExpectedRank>& ranks) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ExpectedRank& columns = ranks[rank];
    if (side == Side::kLower)
      columns.lower = columns.upper = durations(ideal.times[rank]);
    else
      // An expectation never falls when the device replaces the cache; where queueing in the model says otherwise for a
      // single operation, the bracket is the larger of the two.
      for (std::size_t i = 0; i < columns.upper.size(); ++i) {
        const OperationTimes& device = ideal.times[rank][i];
        columns.upper[i] = std::max(device.end - device.begin, columns.lower[i]);
      }
  }
}

void take_as_configured(const Program& program, const ReplayResult& configured, Side side,
                        std::vector<ExpectedRank>& ranks) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ExpectedRank& columns = ranks[rank];
    for (std::size_t i = 0; i < columns.lower.size(); ++i) {
      if (!is_configurable(program.rank(rank).operations[i]) || columns.not_judged[i] != replay::kNone) continue;
      const OperationTimes& times = configured.times[rank][i];
      const Duration took = times.end - times.begin;
      if (side == Side::kLower) columns.as_configured[i] = columns.as_configured_upper[i] = took;
      if (side == Side::kUpper) columns.as_configured_upper[i] = std::max(took, columns.as_configured[i]);
    }
  }
}

// Only what was run by its inner stream: elsewhere that replay differs by what it did to later operations.
void take_as_run(const ReplayResult& as_run, Side side, std::vector<ExpectedRank>& ranks) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ExpectedRank& columns = ranks[rank];
    const auto took = [&](std::size_t i) { return as_run.times[rank][i].end - as_run.times[rank][i].begin; };
    if (side == Side::kUpper) {
      for (std::size_t i = 0; i < columns.by_inner.size(); ++i)
        if (columns.by_inner[i] != 0) columns.as_run_upper[i] = std::max(took(i), columns.as_run[i]);
      continue;
    }
    columns.by_inner.assign(columns.lower.size(), 0);
    for (const std::uint32_t i : as_run.by_inner[rank]) {
      columns.by_inner[i] = 1;
      columns.as_run[i] = columns.as_run_upper[i] = took(i);
    }
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

  // Anchored, and again with every buffered access on the device where that can differ. take(result, side) is called
  // for each, and the times are dropped before the next one begins; the result is what the first one tells beside them.
  template <class Take>
  ReplayResult bracket(Form form, Take take) {
    ReplayResult cached = run(Mode::kAnchored, form, hw::CacheCase::kCached);
    take(cached, Side::kLower);
    cached.times = {};
    if (contents_.io) take(run(Mode::kAnchored, form, hw::CacheCase::kDevice), Side::kUpper);
    return cached;
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
    options.scratch = options_.scratch;
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
void set_band(const Program& program, const Spreads& spreads, std::uint32_t rank, ExpectedRank& columns) {
  columns.band.assign(columns.lower.size(), Duration{});
  for (std::size_t i = 0; i < columns.band.size(); ++i) {
    if (columns.not_judged[i] != replay::kNone) continue;
    const double spread = spreads.of(program.rank(rank).operations[i]);
    columns.band[i] = duration_from_seconds(columns.lower[i].seconds() * spread);
  }
}

// On a sampled network, where an operation is expected to take as long as with the median of each message: how far it
// is from that where all its messages belong to the 2.5 % that take the longest, or the least time.
void widen_bands(Replays& replays, std::vector<ExpectedRank>& ranks) {
  constexpr double kLeast = 0.025, kMost = 0.975;
  for (const double share : {kLeast, kMost}) {
    const ReplayResult result = replays.run_at(share);
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
      ExpectedRank& columns = ranks[rank];
      for (std::size_t i = 0; i < columns.band.size(); ++i) {
        if (columns.not_judged[i] != replay::kNone) continue;
        const Duration took = result.times[rank][i].end - result.times[rank][i].begin;
        const Duration far = share == kLeast ? columns.lower[i] - took : took - columns.lower[i];
        columns.band[i] = std::max(columns.band[i], far);
      }
    }
  }
}

// The index of `reason` in `reasons`, which it joins when it is new. There are few different ones.
std::uint32_t index_of(std::string_view reason, std::vector<std::string>& reasons) {
  auto found = std::find(reasons.begin(), reasons.end(), reason);
  if (found == reasons.end()) found = reasons.insert(found, std::string(reason));
  return static_cast<std::uint32_t>(found - reasons.begin());
}

void fill_reasons(const Program& program, const replay::Judge& judge, const replay::Unanswered* unanswered,
                  Expected& expected) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    KeptColumn<std::uint32_t>& column = expected.ranks[rank].not_judged;
    column.assign(program.rank(rank).operations.size(), replay::kNone);
    for (std::uint32_t operation = 0; operation < column.size(); ++operation) {
      std::string_view why = judge.why_not(rank, operation);
      if (why.empty() && unanswered != nullptr && unanswered->of(rank, operation) != 0)
        why = replay::Unanswered::kReason;
      if (!why.empty()) column[operation] = index_of(why, expected.reasons);
    }
  }
}

// One replay after the other, each into the columns before the next one begins.
class Expecting {
 public:
  Expecting(const Program& program, const hw::Platform& platform, const ExpectOptions& options)
      : program_(program), platform_(platform), options_(options), replays_(program, platform, options) {
    result_.columns.scratch = options.scratch;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) ranks_.push_back(replay::columns_in(options.scratch));
  }

  Expectation run() {
    ideally();
    if (replays_.configuration_matters()) as_configured();
    as_run();
    fill_bands();
    count_operations();
    result_.runs = replays_.runs();
    return std::move(result_);
  }

 private:
  void ideally() {
    result_.anchored =
        replays_.bracket(Form::kIdeal, [&](const ReplayResult& ideal, Side side) { take_ideal(ideal, side, ranks_); });
    fill_reasons(program_, replay::Judge(program_, platform_, options_.choices.library),
                 result_.anchored.unanswered.get(), result_.columns);
    result_.free = replays_.run(Mode::kFree, Form::kIdeal, hw::CacheCase::kCached);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].free = std::move(result_.free.times[rank]);
    result_.free.times = {};
    result_.collectives = result_.configured_collectives = result_.anchored.collectives;
  }

  void as_configured() {
    for (ExpectedRank& columns : ranks_) {
      columns.as_configured = columns.lower;
      columns.as_configured_upper = columns.upper;
    }
    ReplayResult configured = replays_.bracket(Form::kAsConfigured, [&](const ReplayResult& replayed, Side side) {
      take_as_configured(program_, replayed, side, ranks_);
    });
    result_.configured_collectives = std::move(configured.collectives);
    result_.io_remarks = std::move(configured.io_remarks);
  }

  void as_run() {
    for (ExpectedRank& columns : ranks_) {
      columns.as_run = columns.as_configured.empty() ? columns.lower : columns.as_configured;
      columns.as_run_upper = columns.as_configured.empty() ? columns.upper : columns.as_configured_upper;
    }
    if (!replays_.contents().inner) return;
    ReplayResult as_run = replays_.bracket(
        Form::kAsRun, [&](const ReplayResult& replayed, Side side) { take_as_run(replayed, side, ranks_); });
    result_.inner_faults = std::move(as_run.inner_faults);
  }

  void fill_bands() {
    const Spreads spreads(program_, platform_);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) set_band(program_, spreads, rank, ranks_[rank]);
    if (hw::model_of(platform_).needs_times) widen_bands(replays_, ranks_);
  }

  void count_operations() {
    for (ExpectedRank& columns : ranks_) columns.ideal_io.assign(columns.lower.size(), 0);
    for (const replay::IdealIo& needed : replay::ideal_io(program_, platform_, options_.scratch))
      ranks_[needed.rank].ideal_io[needed.operation] = needed.operations;
  }

  const Program& program_;
  const hw::Platform& platform_;
  const ExpectOptions& options_;
  Replays replays_;
  Expectation result_;
  std::vector<ExpectedRank>& ranks_ = result_.columns.ranks;
};

}  // namespace

Expectation expect(const Program& program, const hw::Platform& platform, const ExpectOptions& options) {
  return Expecting(program, platform, options).run();
}

std::string platform_name(const std::filesystem::path& file, const hw::Platform& platform) {
  const std::string name = file.filename().string();
  return platform.mpi.empty() ? name : fmt::format("{} ({})", name, platform.mpi);
}

}  // namespace plumbline::cli
