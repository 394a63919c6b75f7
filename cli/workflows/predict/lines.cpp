#include "cli/workflows/predict/lines.hpp"

#include <algorithm>
#include <utility>

#include "cli/workflows/predict/partners.hpp"
#include "replay/model/compile.hpp"
#include "replay/model/unroll.hpp"

namespace plumbline::cli::predict {
namespace {

namespace model = replay::model;

struct Computation {
  model::Place place;
  Duration nominal;
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
  Walk(const Prepared& prepared, const replay::ReplayResult& result, const std::vector<Time>& partners,
       std::uint32_t rank, Lines& lines)
      : own_(prepared.program.rank(rank)), times_(result.times[rank]), partners_(partners), lines_(lines) {
    model::Faults none("");
    if (!own_.operations.empty() && prepared.program.call(own_.operations[0].call) == model::kBeginOfProcess) ++next_;
    unroll(prepared.instance, rank, none, [this](const model::Action& action) { take(action); });
    if (next_ < own_.operations.size()) share_gap();  // the end of a process that computes last
    lines_.idle += result.end - (times_.empty() ? Time{} : times_.back().end);
  }

  const std::map<model::Place, Duration>& computing() const { return computing_; }

 private:
  void take(const model::Action& action) {
    if (action.message == nullptr) {
      gap_.push_back({action.place, action.compute});
      return;
    }
    share_gap();
    LineTimes& line = lines_.by_place[action.place];
    line.call = action.message->type->name;
    if (lines_.runs == 0) ++line.count;
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

  void share_gap() {
    Duration left = times_[next_].begin - end_, all;
    for (const Computation& part : gap_) all += part.nominal;
    const Duration gap = left;
    for (std::size_t i = 0; i < gap_.size(); ++i) {
      const Duration own = i + 1 == gap_.size() ? left : part_of(gap, gap_[i].nominal, all);
      left -= own;
      LineTimes& line = lines_.by_place[gap_[i].place];
      line.call = "Serial";
      line.computing += own;
      if (lines_.runs == 0) ++line.count;
      computing_[gap_[i].place] += own;
    }
    gap_.clear();
  }

  const replay::RankProgram& own_;
  const Column<replay::OperationTimes>& times_;
  const std::vector<Time>& partners_;
  Lines& lines_;
  std::vector<Computation> gap_;  // before the next operation
  std::map<model::Place, Duration> computing_;
  std::size_t next_ = 0;
  Time end_;
};

}  // namespace

void add_run(const Prepared& prepared, const hw::Platform& platform, const replay::ReplayResult& result, Lines& lines) {
  const PartnerTimes partners = partner_times(prepared.program, platform, result);
  struct Spread {
    TimeSum all;
    Duration most;
  };
  std::map<model::Place, Spread> spreads;
  lines.ranks = prepared.program.ranks();
  for (std::uint32_t rank = 0; rank < lines.ranks; ++rank) {
    const Walk walk(prepared, result, partners[rank], rank, lines);
    for (const auto& [place, own] : walk.computing()) {
      spreads[place].all += own;
      spreads[place].most = std::max(spreads[place].most, own);
    }
  }
  for (const auto& [place, spread] : spreads)
    lines.by_place[place].imbalance += TimeSum(spread.most) * lines.ranks - spread.all;
  lines.length += result.end - Time{};
  ++lines.runs;
}

}  // namespace plumbline::cli::predict
