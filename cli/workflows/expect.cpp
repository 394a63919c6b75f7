#include "cli/workflows/expect.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "replay/judge.hpp"

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
  bool io = false, inner = false;
};

Contents contents_of(const Program& program) {
  Contents contents;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto& operations = program.rank(rank).operations;
    contents.io = contents.io || std::any_of(operations.begin(), operations.end(), is_io);
    contents.inner = contents.inner || !program.rank(rank).inner.empty();
  }
  return contents;
}

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

// Only what was run by its inner stream: elsewhere that replay differs by what it did to later operations.
void take_as_run(const std::vector<std::uint32_t>& by_inner, const std::vector<OperationTimes>& cached,
                 const std::vector<OperationTimes>& device, ExpectedRank& columns) {
  columns.by_inner.assign(columns.lower.size(), 0);
  for (const std::uint32_t i : by_inner) {
    columns.by_inner[i] = 1;
    columns.as_run[i] = cached[i].end - cached[i].begin;
    columns.as_run_upper[i] = std::max(device[i].end - device[i].begin, columns.as_run[i]);
  }
}

template <class T>
double spread(const hw::Parameter<T>& parameter) {
  return parameter.spread;
}

double spread_of(const hw::MessageRange& range) {
  double widest = std::max({spread(range.send), spread(range.receive), spread(range.latency)});
  if (range.send_rate) widest = std::max(widest, spread(*range.send_rate));
  if (range.receive_rate) widest = std::max(widest, spread(*range.receive_rate));
  return widest;
}

double spread_of_messages(const hw::Platform& platform, Bytes size) {
  double widest = 0;
  for (const hw::Transport* transport : {&platform.inside, &platform.between})
    if (!transport->ranges.empty()) widest = std::max(widest, spread_of(hw::range_of(*transport, size)));
  return widest;
}

double spread_of_storage(const hw::Platform& platform) {
  double widest = 0;
  for (const hw::FileSystem& fs : platform.file_systems) {
    for (const hw::AccessCost* cost : {&fs.cached_read, &fs.cached_write, &fs.device_read, &fs.device_write})
      widest = std::max({widest, spread(cost->call), spread(cost->rate)});
    widest = std::max({widest, spread(fs.open), spread(fs.close), spread(fs.sync)});
  }
  return widest;
}

// Nothing for what is not judged: its duration was observed.
void fill_bands(const Program& program, const hw::Platform& platform, std::uint32_t rank, ExpectedRank& columns) {
  columns.band.assign(columns.lower.size(), Duration{});
  for (std::size_t i = 0; i < columns.band.size(); ++i) {
    if (columns.not_judged[i] != replay::kNone) continue;
    const double spread = cli::spread_of(platform, program.rank(rank).operations[i]);
    columns.band[i] = duration_from_seconds(columns.lower[i].seconds() * spread);
  }
}

// The index of `reason` in `reasons`, which it joins when it is new. There are few different ones.
std::uint32_t index_of(std::string_view reason, std::vector<std::string>& reasons) {
  auto found = std::find(reasons.begin(), reasons.end(), reason);
  if (found == reasons.end()) found = reasons.insert(found, std::string(reason));
  return static_cast<std::uint32_t>(found - reasons.begin());
}

std::vector<std::uint32_t> reasons_of(const Program& program, const replay::Judge& judge, std::uint32_t rank,
                                      std::vector<std::string>& reasons) {
  std::vector<std::uint32_t> result(program.rank(rank).operations.size(), replay::kNone);
  for (std::uint32_t operation = 0; operation < result.size(); ++operation)
    if (const std::string_view why = judge.why_not(rank, operation); !why.empty())
      result[operation] = index_of(why, reasons);
  return result;
}

}  // namespace

double spread_of(const hw::Platform& platform, const Operation& operation) {
  return is_io(operation) ? spread_of_storage(platform) : spread_of_messages(platform, Bytes{operation.bytes});
}

Expectation expect(const Program& program, const hw::Platform& platform, const ExpectOptions& options) {
  Expectation result;
  const Contents contents = contents_of(program);
  const auto run = [&](Mode mode, Form form, hw::CacheCase cache) {
    ++result.runs;
    return replay::replay(program, platform, {.mode = mode, .form = form, .cache = cache, .compute = options.compute});
  };
  using enum hw::CacheCase;
  result.anchored = run(Mode::kAnchored, Form::kIdeal, kCached);
  result.free = run(Mode::kFree, Form::kIdeal, kCached);
  ReplayResult device, as_run, as_run_device;
  if (contents.io) device = run(Mode::kAnchored, Form::kIdeal, kDevice);
  if (contents.inner) {
    as_run = run(Mode::kAnchored, Form::kAsRun, kCached);
    as_run_device = contents.io ? run(Mode::kAnchored, Form::kAsRun, kDevice) : as_run;
  }

  const replay::Judge judge(program, platform);
  result.columns.ranks.resize(program.ranks());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ExpectedRank& columns = result.columns.ranks[rank];
    columns.lower = durations(result.anchored.times[rank]);
    columns.upper = contents.io ? at_least(durations(device.times[rank]), columns.lower) : columns.lower;
    columns.as_run = columns.lower;
    columns.as_run_upper = columns.upper;
    if (contents.inner) take_as_run(as_run.by_inner[rank], as_run.times[rank], as_run_device.times[rank], columns);
    columns.ideal_io.assign(columns.lower.size(), 0);
    columns.not_judged = reasons_of(program, judge, rank, result.columns.reasons);
    fill_bands(program, platform, rank, columns);
    columns.free = std::move(result.free.times[rank]);
  }
  result.inner_faults = std::move(as_run.inner_faults);
  for (const replay::IdealIo& ideal : replay::ideal_io(program, platform))
    result.columns.ranks[ideal.rank].ideal_io[ideal.operation] = ideal.operations;
  return result;
}

}  // namespace plumbline::cli
