#include "viewer/index/aggregates/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "viewer/index/pyramid/overlap.hpp"
#include "viewer/index/runs/parts.hpp"
#include "viewer/index/runs/peers.hpp"

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::Operation;
using replay::OpKind;

// Ranks or nodes, neighbours joined so that there are at most kMostCells.
struct Axis {
  std::vector<std::uint32_t> place;  // by rank
  std::vector<std::string> names;
};

std::uint32_t share(std::uint32_t count) { return (count + kMostCells - 1) / kMostCells; }

std::string name_of(std::string_view first, std::string_view last) {
  return first == last ? std::string(first) : fmt::format("{}-{}", first, last);
}

Axis axis_of(const replay::Program& program, MatrixBy by) {
  Axis axis;
  const std::uint32_t count = by == MatrixBy::kRank ? program.ranks() : program.nodes();
  const std::uint32_t joined = std::max(share(count), 1U);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    axis.place.push_back((by == MatrixBy::kRank ? rank : program.rank(rank).node) / joined);
  for (std::uint32_t first = 0; first < count; first += joined) {
    const std::uint32_t last = std::min(first + joined, count) - 1;
    axis.names.push_back(by == MatrixBy::kRank ? name_of(std::to_string(first), std::to_string(last))
                                               : name_of(program.node(first), program.node(last)));
  }
  return axis;
}

class Counter {
 public:
  Counter(const Runs& runs, const Matches& matches, MatrixBy by, MatrixOf of)
      : runs_(runs),
        matches_(matches),
        of_(of),
        axis_(axis_of(runs.observed, by)),
        values_(axis_.names.size() * axis_.names.size()) {}

  void add(OperationId id) {
    const Operation& op = operation(id);
    if (of_ == MatrixOf::kOwn) return add_own(id, op);
    switch (op.kind) {
      case OpKind::kSend:
      case OpKind::kIsend:
      case OpKind::kSendrecv:
      case OpKind::kRmaPut:
      case OpKind::kRmaAccumulate:
        return add(id.rank, peer_of(runs_.observed, id.rank, op), amount(op.bytes));
      case OpKind::kRmaGet:
      case OpKind::kRmaFetch: {
        const std::uint32_t target = peer_of(runs_.observed, id.rank, op);
        if (op.kind == OpKind::kRmaFetch) add(id.rank, target, amount(op.bytes));
        return add(target, id.rank, amount(runs_.observed.rank(id.rank).rma[op.extra].received));
      }
      default:
        return;
    }
  }

  Matrix take() {
    Matrix matrix;
    const auto side = static_cast<std::uint32_t>(axis_.names.size());
    for (std::uint32_t from = 0; from < side; ++from)
      for (std::uint32_t to = 0; to < side; ++to)
        if (values_[std::size_t{from} * side + to] != 0)
          matrix.cells.push_back({from, to, values_[std::size_t{from} * side + to]});
    matrix.names = std::move(axis_.names);
    return matrix;
  }

 private:
  const Operation& operation(OperationId id) const { return runs_.observed.rank(id.rank).operations[id.operation]; }

  TimeSum::Picoseconds amount(std::uint64_t bytes) const { return of_ == MatrixOf::kCount ? 1 : bytes; }

  void add(std::uint32_t from, std::uint32_t to, TimeSum::Picoseconds value) {
    if (from == kNone || to == kNone) return;
    values_[std::size_t{axis_.place[from]} * axis_.names.size() + axis_.place[to]] += value;
  }

  void add_own(OperationId id, const Operation& op) {
    const Parts parts = parts_of(runs_, id.rank, id.operation);
    if (!parts.judged || parts.own == Duration{}) return;
    // A wait counts for what it waited for.
    const OperationId start = op.kind == OpKind::kWait ? matches_.partner(id) : id;
    if (!start.exists()) return;
    const Operation& transfer = operation(start);
    const bool sends = transfer.kind == OpKind::kSend || transfer.kind == OpKind::kIsend ||
                       transfer.kind == OpKind::kSendrecv || replay::is_rma_transfer(transfer.kind);
    const bool receives = transfer.kind == OpKind::kRecv || transfer.kind == OpKind::kIrecv;
    const std::uint32_t peer = sends || receives ? peer_of(runs_.observed, id.rank, transfer) : kNone;
    sends ? add(id.rank, peer, parts.own.ps) : add(peer, id.rank, parts.own.ps);
  }

  const Runs& runs_;
  const Matches& matches_;
  const MatrixOf of_;
  Axis axis_;
  std::vector<TimeSum::Picoseconds> values_;
};

}  // namespace

Matrix matrix_of(const Runs& runs, const Matches& matches, TimeRange range, MatrixBy by, MatrixOf of) {
  Counter counter(runs, matches, by, of);
  const Time end = end_of(runs);
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const auto times = runs.observed.rank(rank).times;
    const auto first = std::ranges::lower_bound(times, range.begin, {}, &replay::OperationTimes::begin);
    for (auto at = first; at != times.end() && has_point(range, at->begin, end); ++at)
      counter.add({rank, static_cast<std::uint32_t>(at - times.begin())});
  }
  return counter.take();
}

}  // namespace plumbline::viewer
