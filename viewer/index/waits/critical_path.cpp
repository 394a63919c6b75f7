#include "viewer/index/waits/critical_path.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::OperationTimes;

class Walk {
 public:
  Walk(const Runs& runs, const Matches& matches, TimesOf which) : runs_(runs), waits_(runs, matches, which) {}

  std::vector<PathPiece> run() {
    OperationId last;
    for (std::uint32_t rank = 0; rank < runs_.observed.ranks(); ++rank) start_with(rank, last);
    if (!last.exists()) return {};
    now_ = waits_.times(last).end;
    walk_back(last);
    std::ranges::reverse(pieces_);
    return std::move(pieces_);
  }

 private:
  std::size_t operations(std::uint32_t rank) const { return runs_.observed.rank(rank).operations.size(); }

  void start_with(std::uint32_t rank, OperationId& last) {
    if (operations(rank) == 0) return;
    const OperationId end{rank, static_cast<std::uint32_t>(operations(rank) - 1)};
    const Time first = waits_.times({rank, 0}).begin;
    if (!last.exists() || first < begin_) begin_ = first;
    if (!last.exists() || waits_.times(end).end > waits_.times(last).end) last = end;
  }

  void back_to(Time time, std::uint32_t rank, std::uint32_t operation) {
    time = std::max(time, begin_);
    if (time < now_) pieces_.push_back({rank, time, now_, operation});
    now_ = std::min(now_, time);
  }

  // Time never goes forward: each turn either goes to an earlier operation of the rank, or to one of another rank that
  // began earlier than now.
  void walk_back(OperationId id) {
    while (now_ > begin_) {
      const OperationTimes times = waits_.times(id);
      const Waited waited = waits_.of(id);
      const Time came = waited.on.exists() ? waits_.times(waited.on).begin : times.begin;
      if (waited.on.exists() && came < now_) {
        back_to(came, id.rank, id.operation);
        id = waited.on;
      } else {
        back_to(times.begin, id.rank, id.operation);
      }
      if (id.operation == 0) return back_to(begin_, id.rank, kNone);
      --id.operation;
      back_to(waits_.times(id).end, id.rank, kNone);
    }
  }

  const Runs& runs_;
  Waits waits_;
  Time begin_, now_;
  std::vector<PathPiece> pieces_;  // backwards
};

std::vector<PathTime> sum_by_call(const Runs& runs, const std::vector<PathPiece>& pieces) {
  std::map<std::uint32_t, Duration> times;  // by call, kNone: compute
  for (const PathPiece& piece : pieces) {
    const bool is_call = piece.operation != kNone;
    times[is_call ? runs.observed.rank(piece.rank).operations[piece.operation].call : kNone] += piece.end - piece.begin;
  }
  std::vector<PathTime> by_call;
  for (const auto& [call, time] : times)
    by_call.push_back(
        {call == kNone ? "compute" : std::string(runs.observed.call(static_cast<std::uint16_t>(call))), time});
  std::ranges::stable_sort(by_call, std::greater<>(), &PathTime::time);
  return by_call;
}

// Keeps the longest pieces, and makes one of all that lie between two of these.
std::vector<PathPiece> join_shortest(const std::vector<PathPiece>& pieces, std::size_t most) {
  if (pieces.size() <= most) return pieces;
  std::vector<std::int64_t> lengths;
  for (const PathPiece& piece : pieces) lengths.push_back((piece.end - piece.begin).ps);
  const std::size_t kept = (most - 1) / 2;
  std::ranges::nth_element(lengths, lengths.begin() + static_cast<std::ptrdiff_t>(kept), std::greater<>());
  const Duration cut{lengths[kept]};  // at most `kept` are longer
  std::vector<PathPiece> joined;
  Duration longest;
  bool is_open = false;
  for (const PathPiece& piece : pieces) {
    const Duration length = piece.end - piece.begin;
    if (length > cut || !is_open) {
      joined.push_back(piece);
      is_open = length <= cut;
      longest = length;
      continue;
    }
    PathPiece& into = joined.back();
    if (length > longest) into.rank = piece.rank;
    longest = std::max(longest, length);
    into.end = piece.end;
    into.operation = kNone;
    ++into.joined;
  }
  return joined;
}

}  // namespace

CriticalPath critical_path_of(const Runs& runs, const Matches& matches, TimesOf which, std::size_t most) {
  const std::vector<PathPiece> pieces = Walk(runs, matches, which).run();
  return {join_shortest(pieces, most), sum_by_call(runs, pieces)};
}

}  // namespace plumbline::viewer
