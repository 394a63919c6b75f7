#include "cli/workflows/predict/lines.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/workflows/predict/partners.hpp"
#include "replay/model/compile/names_in_programs.hpp"
#include "replay/model/compile/unroll.hpp"

namespace plumbline::cli::predict {
namespace {

namespace model = replay::model;

// What one directive computes.
struct Computation {
  LineTimes* line = nullptr;
  Duration computing;       // so far
  Duration nominal;         // in the gap before the next operation
  std::uint64_t times = 0;  // there
};

// The part of a gap that belongs to one of the computations in it, in proportion; the last one takes what is left.
Duration part_of(Duration gap, Duration nominal, Duration all) {
  if (all.ps == 0) return {};
  __extension__ using Wide = __int128;
  return {static_cast<std::int64_t>(static_cast<Wide>(gap.ps) * nominal.ps / all.ps)};
}

bool starts_only(const replay::Operation& op) {
  return op.kind == replay::OpKind::kIsend || op.kind == replay::OpKind::kIrecv || replay::starts_collective(op.kind) ||
         (replay::is_io(op.kind) && (op.flags & replay::kNonBlocking) != 0);
}

// One process of a run, walked along with its model.
class Walk {
 public:
  Walk(const Prepared& prepared, const replay::ReplayResult& result, const Column<Time>& partners, std::uint32_t rank,
       Lines& lines)
      : own_(prepared.program.rank(rank)), times_(result.times[rank]), partners_(partners), lines_(lines) {
    model::Faults none("");
    if (!own_.operations.empty() && prepared.program.call(own_.operations[0].call) == model::kBeginOfProcess) ++next_;
    unroll(prepared.instance, rank, none, [this](const model::Action& action) { take(action); });
    if (next_ < own_.operations.size()) share_gap();  // the end of a process that computes last
    lines_.idle += result.end - (times_.empty() ? Time{} : times_.back().end);
  }

  const std::map<model::Place, Computation>& computing() const { return computing_; }

 private:
  void take(const model::Action& action) {
    const bool delays = action.message == nullptr && action.delays;
    if (delays && action.compute == Duration{}) return;
    if (action.message == nullptr && !delays) return compute(action);
    share_gap();
    LineTimes& line = line_at(action.place, delays ? model::kDelay : action.message->type->name);
    ++line.count;
    const replay::OperationTimes& times = times_[next_];
    const Duration took = times.end - times.begin;
    const Time partner = partners_[next_];
    Duration waiting;
    if (partner > times.begin && !starts_only(own_.operations[next_])) waiting = std::min(partner - times.begin, took);
    line.waiting += waiting;
    line.transfer += took - waiting;
    ++next_;
    end_ = times.end;
  }

  LineTimes& line_at(model::Place place, std::string_view call) {
    const auto [entry, is_new] = lines_.by_place.try_emplace(place);
    if (is_new) entry->second.call = call;
    return entry->second;
  }

  void compute(const model::Action& action) {
    Computation& own = computing_[action.place];
    if (own.line == nullptr) own.line = &line_at(action.place, "Serial");
    if (own.times++ == 0) gap_.push_back(&own);
    own.nominal += action.compute;
  }

  void share_gap() {
    Duration left = times_[next_].begin - end_, all;
    for (const Computation* part : gap_) all += part->nominal;
    const Duration gap = left;
    for (Computation* part : gap_) {
      const Duration own = part == gap_.back() ? left : part_of(gap, part->nominal, all);
      left -= own;
      part->line->computing += own;
      part->line->count += part->times;
      part->computing += own;
      part->nominal = {};
      part->times = 0;
    }
    gap_.clear();
  }

  const replay::RankProgram& own_;
  const Column<replay::OperationTimes>& times_;
  const Column<Time>& partners_;
  Lines& lines_;
  std::map<model::Place, Computation> computing_;
  std::vector<Computation*> gap_;  // those that compute before the next operation
  std::size_t next_ = 0;
  Time end_;
};

// Of what all processes compute.
struct Spread {
  TimeSum all, most;

  void add(TimeSum own) {
    all += own;
    most = std::max(most, own);
  }
  TimeSum imbalance(std::uint32_t ranks) const { return most * ranks - all; }
};

}  // namespace

Lines lines_of(const Prepared& prepared, const hw::Platform& platform, const replay::ReplayResult& result,
               const Scratch& scratch) {
  const PartnerTimes partners = partner_times(prepared.program, platform, result, scratch);
  std::map<model::Place, Spread> by_place;
  Spread whole;
  Lines lines;
  lines.ranks = prepared.program.ranks();
  for (std::uint32_t rank = 0; rank < lines.ranks; ++rank) {
    const Walk walk(prepared, result, partners[rank], rank, lines);
    TimeSum own;
    for (const auto& [place, computation] : walk.computing()) {
      own += computation.computing;
      by_place[place].add(computation.computing);
    }
    whole.add(own);
  }
  for (const auto& [place, spread] : by_place) lines.by_place[place].imbalance = spread.imbalance(lines.ranks);
  lines.imbalance = whole.imbalance(lines.ranks);
  lines.length = TimeSum(result.end - Time{});
  lines.runs = 1;
  return lines;
}

void add(const Lines& runs, Lines& to) {
  if (to.runs == 0) {
    to = runs;
    return;
  }
  for (const auto& [place, line] : runs.by_place) {
    LineTimes& sum = to.by_place[place];
    sum.computing += line.computing;
    sum.transfer += line.transfer;
    sum.waiting += line.waiting;
    sum.imbalance += line.imbalance;
  }
  to.length += runs.length;
  to.idle += runs.idle;
  to.imbalance += runs.imbalance;
  to.runs += runs.runs;
}

}  // namespace plumbline::cli::predict
