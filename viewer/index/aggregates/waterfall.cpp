#include "viewer/index/aggregates/waterfall.hpp"

#include <algorithm>

#include "replay/program/set_up.hpp"
#include "viewer/index/pyramid/overlap.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::Operation;
using replay::RankProgram;

// A gap behind a poll that is not longer is part of a loop of polls, as in a comparison (replay/compare/tally.cpp).
constexpr Duration kOfALoop = microseconds(2);

class Adder {
 public:
  Adder(const Runs& runs, TimeRange range)
      : runs_(runs), calls_(facts_of_calls(runs.observed)), range_(range), end_of_run_(end_of(runs)) {}

  void add_rank(std::uint32_t rank) {
    result_.total += range_.end - range_.begin;
    const RankProgram& own = runs_.observed.rank(rank);
    if (own.operations.empty()) {
      result_[TimePart::kOutside] += range_.end - range_.begin;
      return;
    }
    result_[TimePart::kOutside] += overlap(range_, range_.begin, own.times.front().begin);
    result_[TimePart::kOutside] += overlap(range_, own.times.back().end, range_.end);
    for_each_in(runs_, end_of_run_, range_, rank,
                [&](std::uint32_t i, Duration inside) { add_operation(rank, i, inside); });
    add_gaps(own);
    add_off_cpu(own);
  }

  TimeParts take() {
    TimeSum& off_cpu = result_[TimePart::kOffCpu];
    off_cpu = std::min(off_cpu, result_[TimePart::kCompute]);
    result_[TimePart::kCompute] -= off_cpu;
    return result_;
  }

 private:
  bool is_poll(const Operation& op) const { return op.kind == replay::OpKind::kLocal && calls_.is_poll[op.call] != 0; }

  void add_operation(std::uint32_t rank, std::uint32_t i, Duration inside) {
    const Operation& op = runs_.observed.rank(rank).operations[i];
    if (is_poll(op)) {
      result_[TimePart::kPolling] += inside;
      return;
    }
    const Parts parts = parts_of(runs_, rank, i);
    if (!parts.judged) {
      result_[is_set_up(runs_.observed, op) ? TimePart::kSetUp : TimePart::kNotJudged] += inside;
      return;
    }
    ProportionalShare share(inside, parts.observed);
    result_[TimePart::kExpected] += share.of(parts.free);
    result_[TimePart::kInherited] += share.of(parts.inherited);
    result_[TimePart::kStructure] += share.of(parts.structure);
    result_[replay::is_io(op.kind) ? TimePart::kStorageStack : TimePart::kNetworkStack] += share.of(parts.stack);
    result_[TimePart::kGained] += share.of(-parts.gained);
  }

  void add_gaps(const RankProgram& own) {
    const auto times = own.times;
    auto at = std::ranges::upper_bound(times, range_.begin, {}, &replay::OperationTimes::begin);
    for (at = std::max(at, times.begin() + 1); at != times.end() && (at - 1)->end < range_.end; ++at) {
      const Duration gap = overlap(range_, (at - 1)->end, at->begin);
      const Operation& before = own.operations[static_cast<std::size_t>(at - times.begin() - 1)];
      const bool polls = is_poll(before) && at->begin - (at - 1)->end <= kOfALoop;
      result_[polls ? TimePart::kPolling : TimePart::kCompute] += gap;
    }
  }

  // In proportion to what of its gap lies in the range.
  void add_off_cpu(const RankProgram& own) {
    const auto times = own.times;
    const auto first = std::ranges::lower_bound(times, range_.begin, {}, &replay::OperationTimes::begin);
    const auto from = std::ranges::lower_bound(own.off_cpu, first - times.begin(), {}, [](const replay::OffCpu& off) {
      return static_cast<std::ptrdiff_t>(off.operation);
    });
    for (auto off = from; off != own.off_cpu.end(); ++off) {
      const Time end = times[off->operation].begin;
      const Time begin = off->operation > 0 ? times[off->operation - 1].end : end;
      if (begin > range_.end) break;
      if (begin < end)
        result_[TimePart::kOffCpu] += ProportionalShare(overlap(range_, begin, end), end - begin).of(off->delay);
      else if (has_point(range_, end, end_of_run_))
        result_[TimePart::kOffCpu] += off->delay;
    }
  }

  const Runs& runs_;
  const CallFacts calls_;
  const TimeRange range_;
  const Time end_of_run_;
  TimeParts result_;
};

class WhatIfAdder {
 public:
  WhatIfAdder(const Runs& runs, TimeRange range) : runs_(runs), calls_(facts_of_calls(runs.observed)), range_(range) {}

  // What overlaps the operation before it counts once.
  void add_rank(std::uint32_t rank, std::span<const replay::OperationTimes> times) {
    result_.total += range_.end - range_.begin;
    Time now = range_.begin;
    for (std::uint32_t i = 0; i < times.size() && now < range_.end; ++i) {
      const Duration gap = overlap(range_, now, times[i].begin);
      result_[i == 0 ? TimePart::kOutside : TimePart::kCompute] += gap;
      now = std::max(now, std::min(times[i].begin, range_.end));
      const Duration inside = overlap(range_, now, times[i].end);
      add_operation(rank, i, inside, times[i].end - times[i].begin);
      now += inside;
    }
    result_[TimePart::kOutside] += range_.end - now;
  }

  TimeParts take() { return result_; }

 private:
  TimePart part_of(std::uint32_t rank, std::uint32_t i) const {
    const Operation& op = runs_.observed.rank(rank).operations[i];
    if (op.kind == replay::OpKind::kLocal && calls_.is_poll[op.call] != 0) return TimePart::kPolling;
    if (is_judged(runs_, rank, i)) return TimePart::kExpected;
    return is_set_up(runs_.observed, op) ? TimePart::kSetUp : TimePart::kNotJudged;
  }

  void add_operation(std::uint32_t rank, std::uint32_t i, Duration inside, Duration whole) {
    if (inside == Duration{}) return;
    const TimePart part = part_of(rank, i);
    if (part != TimePart::kExpected) {
      result_[part] += inside;
      return;
    }
    const replay::OperationTimes& free = runs_.expected->ranks[rank].free[i];
    const Duration expected = free.end - free.begin, beyond = whole - expected;
    ProportionalShare share(inside, whole);
    result_[TimePart::kExpected] += share.of(expected);
    result_[beyond > Duration{} ? TimePart::kBeyond : TimePart::kGained] += share.of(beyond);
  }

  const Runs& runs_;
  const CallFacts calls_;
  const TimeRange range_;
  TimeParts result_;
};

}  // namespace

const std::array<TimePartName, kTimeParts> kTimePartNames{{
    {"compute", "compute"},
    {"off_cpu", "not scheduled"},
    {"polling", "polling"},
    {"outside", "outside"},
    {"expected", "expected"},
    {"inherited", "waiting for others"},
    {"structure", "algorithm and hints"},
    {"network_stack", "network and library"},
    {"storage_stack", "storage"},
    {"gained", "gained"},
    {"not_judged", "not judged"},
    {"set_up", "set-up"},
    {"beyond", "beyond the expectation"},
}};

TimeParts time_parts_of(const Runs& runs, TimeRange range, std::span<const std::uint32_t> ranks) {
  Adder adder(runs, range);
  for (const std::uint32_t rank : ranks) adder.add_rank(rank);
  return adder.take();
}

TimeParts time_parts_of_whatif(const Runs& runs, const PyramidSource& source, TimeRange range,
                               std::span<const std::uint32_t> ranks) {
  WhatIfAdder adder(runs, range);
  for (const std::uint32_t rank : ranks) adder.add_rank(rank, source.ranks[rank].times);
  return adder.take();
}

}  // namespace plumbline::viewer
