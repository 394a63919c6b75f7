// Requests: the wait that completed each of them, and the one whose other end came last.

#include <algorithm>
#include <vector>

#include "viewer/index/matches/match_parts.hpp"

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::Operation;
using replay::OpKind;
using replay::Program;
using replay::RankProgram;

// The slot of the request that the operation starts, or kNone.
std::uint32_t started(const RankProgram& rank, const Operation& op) {
  if (op.kind == OpKind::kIsend || op.kind == OpKind::kIrecv) return op.extra;
  if (replay::starts_collective(op.kind)) return rank.request_of(op);
  if (op.extra == kNone) return kNone;
  if (replay::is_rma_transfer(op.kind)) return rank.rma[op.extra].request;
  const bool access = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
  return access && (op.flags & replay::kNonBlocking) != 0 ? rank.accesses[op.extra].request : kNone;
}

class Requests {
 public:
  Requests(const Program& program, Matches& matches, std::uint32_t rank)
      : program_(program),
        matches_(matches),
        rank_(rank),
        own_(program.rank(rank)),
        start_of_(own_.request_slots, kNone) {}

  void run() {
    for (std::uint32_t i = 0; i < own_.operations.size(); ++i) {
      const Operation& op = own_.operations[i];
      if (op.kind == OpKind::kWait)
        wait(i);
      else if (const std::uint32_t slot = started(own_, op); slot < start_of_.size())
        start_of_[slot] = i;
    }
    std::ranges::sort(matches_.ranks[rank_].completed, {}, &Link::operation);
  }

 private:
  void wait(std::uint32_t wait) {
    std::uint32_t last = kNone;
    Time last_came;
    for (const std::uint32_t slot : own_.waits_for(own_.operations[wait])) {
      const std::uint32_t start = start_of_[slot];
      if (start == kNone) continue;
      matches_.ranks[rank_].completed.push_back({start, {rank_, wait}});
      const Time came = other_end(start, own_.times[wait].end);
      if (last != kNone && came <= last_came) continue;
      last = start;
      last_came = came;
    }
    if (last != kNone) matches_.ranks[rank_].partner[wait] = {rank_, last};
  }

  // When the other end of the request began. What began after the wait had ended did not hold it up: an eager send is
  // complete before its receive begins.
  Time other_end(std::uint32_t start, Time wait_end) const {
    const OperationId partner = matches_.ranks[rank_].partner[start];
    if (!partner.exists()) return own_.times[start].begin;
    const Time begin = program_.rank(partner.rank).times[partner.operation].begin;
    return begin <= wait_end ? begin : own_.times[start].begin;
  }

  const Program& program_;
  Matches& matches_;
  const std::uint32_t rank_;
  const RankProgram& own_;
  std::vector<std::uint32_t> start_of_;  // by slot
};

}  // namespace

void match_requests(const Program& program, Matches& matches) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) Requests(program, matches, rank).run();
}

}  // namespace plumbline::viewer
