#include "viewer/index/waterfall.hpp"

#include <algorithm>

#include "replay/program/set_up.hpp"
#include "viewer/index/columns.hpp"
#include "viewer/index/overlap.hpp"

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
}};

TimeParts time_parts_of(const Runs& runs, TimeRange range, std::span<const std::uint32_t> ranks) {
  Adder adder(runs, range);
  for (const std::uint32_t rank : ranks) adder.add_rank(rank);
  return adder.take();
}

}  // namespace plumbline::viewer
