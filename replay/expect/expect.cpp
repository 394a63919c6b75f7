#include "replay/expect/expect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/team/team.hpp"
#include "hwmodels/platform/network_models.hpp"
#include "replay/engine/collective_choice.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/unmatched_operations.hpp"
#include "replay/expect/arrivals.hpp"
#include "replay/expect/bands.hpp"
#include "replay/mpi/best_schedule.hpp"

namespace plumbline::replay::expect {
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

struct Contents {
  bool io = false, mpi_io = false, inner = false;
};

Contents contents_of(const Program& program) {
  Contents contents;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    for (const Operation& operation : program.rank(rank).operations) {
      if (!replay::is_io(operation.kind)) continue;
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

// One of the replays that make an expectation.
struct Part {
  Mode mode = Mode::kAnchored;
  Form form = Form::kIdeal;
  Side side = Side::kLower;
  std::optional<double> share = {};  // every message takes this quantile, on a sampled network
};

constexpr double kLeast = 0.025, kMost = 0.975;  // 95 % of messages are between these quantiles

// The replays of one program, which share what they find out about collectives.
class Replays {
 public:
  Replays(const Program& program, const hw::Platform& platform, const ExpectOptions& options)
      : program_(program),
        platform_(platform),
        options_(options),
        contents_(contents_of(program)),
        best_(std::make_shared<replay::BestSchedules>(platform, replay::place_ranks(program, platform))) {}

  // In the order in which their results are taken.
  std::vector<Part> parts() const {
    std::vector<Part> parts;
    const auto bracket = [&](Form form) {
      parts.push_back({.form = form});
      if (contents_.io) parts.push_back({.form = form, .side = Side::kUpper});
    };
    bracket(Form::kIdeal);
    parts.push_back({.mode = Mode::kFree});
    if (configuration_matters()) bracket(Form::kAsConfigured);
    if (contents_.inner) bracket(Form::kAsRun);
    if (hw::model_of(platform_).needs_times)
      for (const double share : {kLeast, kMost}) parts.push_back({.share = share});
    return parts;
  }

  // Calls take(part, result) for each, in order. What a recording that says so lacks is found by the first one.
  template <class Take>
  void run(const std::vector<Part>& parts, const Take& take) const {
    const bool first_alone = replay::says_it_is_incomplete(program_);
    std::shared_ptr<const replay::UnmatchedOperations> unanswered;
    run_tasks_for<ReplayResult>(
        options_.team, parts.size(), first_alone,
        [&](std::size_t index, const Task& task) {
          ReplayOptions options = options_of(parts[index]);
          options.progress = [&](double share) { task.tell(share); };
          if (first_alone && index > 0) options.unanswered = unanswered;
          return replay::replay(program_, platform_, options);
        },
        [&](std::size_t index, ReplayResult result) {
          if (first_alone && index == 0) unanswered = result.unanswered;
          take(parts[index], std::move(result));
        });
  }

 private:
  // Whether what is configured may take another time than the ideal.
  bool configuration_matters() const {
    return contents_.mpi_io || replay::collectives_differ(program_, platform_, options_of({.form = Form::kIdeal}),
                                                          options_of({.form = Form::kAsConfigured}));
  }

  ReplayOptions options_of(const Part& part) const {
    ReplayOptions options{.mode = part.mode, .form = part.form, .compute = options_.compute};
    options.cache = part.side == Side::kLower ? hw::CacheCase::kCached : hw::CacheCase::kDevice;
    options.share = part.share;
    options.choices = options_.choices;
    options.seed = options_.seed;
    options.record_use = part.mode == Mode::kFree;
    options.device_operations = options.record_use ? options_.device_operations : 0;
    options.best = best_;
    options.scratch = options_.scratch;
    return options;
  }

  const Program& program_;
  const hw::Platform& platform_;
  const ExpectOptions& options_;
  const Contents contents_;
  std::shared_ptr<replay::BestSchedules> best_;
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
void widen_bands(const ReplayResult& result, double share, std::vector<ExpectedRank>& ranks) {
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

// The index of `reason` in `reasons`, which it joins when it is new. There are few different ones.
std::uint32_t index_of(std::string_view reason, std::vector<std::string>& reasons) {
  auto found = std::find(reasons.begin(), reasons.end(), reason);
  if (found == reasons.end()) found = reasons.insert(found, std::string(reason));
  return static_cast<std::uint32_t>(found - reasons.begin());
}

void fill_reasons(const Program& program, const replay::ModelCoverage& coverage,
                  const replay::UnmatchedOperations* unanswered, Expected& expected) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    KeptColumn<std::uint32_t>& column = expected.ranks[rank].not_judged;
    column.assign(program.rank(rank).operations.size(), replay::kNone);
    for (std::uint32_t operation = 0; operation < column.size(); ++operation) {
      std::string_view why = coverage.reason_not_judged(rank, operation);
      if (why.empty() && unanswered != nullptr && unanswered->of(rank, operation) != 0)
        why = replay::UnmatchedOperations::kReason;
      if (!why.empty()) column[operation] = index_of(why, expected.reasons);
    }
  }
}

// Puts what replays say into columns, one replay after the other.
class Expecting {
 public:
  Expecting(const Program& program, const hw::Platform& platform, const ExpectOptions& options)
      : program_(program), platform_(platform), options_(options) {
    result_.columns.scratch = options.scratch;
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) ranks_.push_back(replay::columns_in(options.scratch));
  }

  Expectation run() {
    const Replays replays(program_, platform_, options_);
    const std::vector<Part> parts = replays.parts();
    replays.run(parts, [&](const Part& part, ReplayResult result) { take(part, std::move(result)); });
    if (std::ranges::none_of(parts, [](const Part& part) { return part.form == Form::kAsRun; })) begin_as_run();
    count_operations();
    result_.runs = static_cast<std::uint32_t>(parts.size());
    return std::move(result_);
  }

 private:
  void take(const Part& part, ReplayResult result) {
    if (part.mode == Mode::kAnchored && result.late_starts > 0) wait_as_observed(result.times);
    if (part.share) return widen_bands(result, *part.share, ranks_);
    if (part.mode == Mode::kFree) return take_free(std::move(result));
    switch (part.form) {
      case Form::kIdeal:
        take_ideal(result, part.side, ranks_);
        if (part.side == Side::kLower) coverage(std::move(result));
        break;
      case Form::kAsConfigured:
        if (part.side == Side::kLower) begin_as_configured(result);
        take_as_configured(program_, result, part.side, ranks_);
        break;
      case Form::kAsRun:
        if (part.side == Side::kLower) begin_as_run();
        take_as_run(result, part.side, ranks_);
        if (part.side == Side::kLower) result_.inner_faults = std::move(result.inner_faults);
        break;
    }
  }

  void wait_as_observed(std::vector<Column<OperationTimes>>& times) {
    if (!arrivals_) arrivals_.emplace(program_, options_.scratch);
    arrivals_->wait_as_observed(times);
  }

  void coverage(ReplayResult ideal) {
    fill_reasons(program_, replay::ModelCoverage(program_, platform_, options_.choices.library), ideal.unanswered.get(),
                 result_.columns);
    const Spreads spreads(program_, platform_);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) set_band(program_, spreads, rank, ranks_[rank]);
    ideal.times = {};
    result_.collectives = result_.configured_collectives = ideal.collectives;
    result_.anchored = std::move(ideal);
  }

  void take_free(ReplayResult free) {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].free = std::move(free.times[rank]);
    free.times = {};
    result_.free = std::move(free);
  }

  void begin_as_configured(ReplayResult& configured) {
    for (ExpectedRank& columns : ranks_) {
      columns.as_configured = columns.lower;
      columns.as_configured_upper = columns.upper;
    }
    result_.configured_collectives = std::move(configured.collectives);
    result_.io_remarks = std::move(configured.io_remarks);
  }

  void begin_as_run() {
    for (ExpectedRank& columns : ranks_) {
      columns.as_run = columns.as_configured.empty() ? columns.lower : columns.as_configured;
      columns.as_run_upper = columns.as_configured.empty() ? columns.upper : columns.as_configured_upper;
    }
  }

  void count_operations() {
    for (ExpectedRank& columns : ranks_) columns.ideal_io.assign(columns.lower.size(), 0);
    for (const replay::IdealIo& needed : replay::ideal_io(program_, platform_, options_.scratch))
      ranks_[needed.rank].ideal_io[needed.operation] = needed.operations;
  }

  const Program& program_;
  const hw::Platform& platform_;
  const ExpectOptions& options_;
  std::optional<Arrivals> arrivals_;  // once they are needed
  Expectation result_;
  std::vector<ExpectedRank>& ranks_ = result_.columns.ranks;
};

}  // namespace

Expectation expectation_of(const Program& program, const hw::Platform& platform, const ExpectOptions& options) {
  return Expecting(program, platform, options).run();
}

std::string platform_name(const std::filesystem::path& file, const hw::Platform& platform) {
  const std::string name = file.filename().string();
  return platform.mpi.empty() ? name : fmt::format("{} ({})", name, platform.mpi);
}

}  // namespace plumbline::replay::expect
