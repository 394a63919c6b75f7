#include "replay/model/fold/ranks.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace plumbline::replay::model {
namespace {

constexpr std::size_t kMostCells = 400'000;  // of a table of common subsequences
constexpr int kWeight = 16;                  // of a call in common, beside how much its peers are alike

RankedStatement ranked(std::uint32_t rank, std::uint32_t all, const FoldedStatement& one) {
  RankedStatement statement;
  statement.ranks = RankSet(rank);
  statement.call = one.call;
  statement.iterations = one.iterations;
  for (const FoldedStatement& inner : one.body) statement.body.push_back(ranked(rank, all, inner));
  statement.to = PeerPattern::of(rank, one.call.to, all);
  statement.from = PeerPattern::of(rank, one.call.from, all);
  statement.offset = OffsetPattern::of(rank, one.call.offset);
  if (one.call.view != kNone) statement.displacements.push_back(one.call.displacement);
  statement.strides = one.strides;
  statement.shifts = one.shifts;
  const Gap& gap = one.before;
  const auto times = static_cast<double>(gap.times);
  statement.before.push_back({rank, gap.computed.sum / times, gap.kept.sum / times, gap.least.sum / times,
                              gap.computed.notable, gap.kept.notable, gap.least.notable});
  return statement;
}

int weight(const RankedStatement& a, const RankedStatement& b);

int weight_of_all(std::span<const RankedStatement> a, std::span<const RankedStatement> b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const int one = weight(a[i], b[i]);
    if (one == 0) return 0;
    sum += one;
  }
  return sum;
}

// 0: they cannot be one statement as they are.
int weight(const RankedStatement& a, const RankedStatement& b) {
  if (a.iterations != b.iterations) return 0;
  if (a.iterations > 0) return a.body.size() == b.body.size() ? weight_of_all(a.body, b.body) : 0;
  if (!is_same_call(a.call, b.call)) return 0;
  if (has_offset(a.call) && (a.strides != b.strides || a.shifts != b.shifts || !a.offset.takes(b.offset))) return 0;
  const int to = likeness(a.to.meet(b.to)), from = likeness(a.from.meet(b.from));
  return to == 0 || from == 0 ? 0 : kWeight + std::min(to, from);
}

// Peers at the same step, or nobody: it must be the right statement. The same number, or the same bits, may be chance.
bool is_surely_one(const RankedStatement& a, const RankedStatement& b) {
  constexpr int kSurely = 4;
  if (a.iterations != b.iterations || weight(a, b) == 0) return false;
  for (std::size_t i = 0; i < a.body.size(); ++i)
    if (!is_surely_one(a.body[i], b.body[i])) return false;
  return a.iterations > 0 || std::min(likeness(a.to.meet(b.to)), likeness(a.from.meet(b.from))) == kSurely;
}

void merge(RankedBlock& all, RankedBlock&& own);

// `b` is of one rank.
void join(RankedStatement& a, RankedStatement&& b) {
  a.ranks.add(b.ranks.first());
  a.before.push_back(std::move(b.before.front()));
  if (!b.displacements.empty()) a.displacements.push_back(b.displacements.front());
  if (a.iterations > 0) return merge(a.body, std::move(b.body));
  a.to = a.to.meet(b.to);
  a.from = a.from.meet(b.from);
  if (has_offset(a.call)) a.offset.take(b.offset);
}

class Alignment {
 public:
  Alignment(std::span<RankedStatement> a, std::span<RankedStatement> b)
      : a_(a), b_(b), width_(b.size() + 1), best_((a.size() + 1) * width_), alike_(a.size() * b.size()) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;) {
        const int one = alike_[i * b.size() + j] = likeness_of(a[i], b[j]);
        best_[at(i, j)] = std::max(best_[at(i + 1, j)], best_[at(i, j + 1)]);
        if (one > 0) best_[at(i, j)] = std::max(best_[at(i, j)], best_[at(i + 1, j + 1)] + one);
      }
  }

  int weight() const { return best_.front(); }

  void join_into(RankedBlock& result) {
    std::size_t i = 0, j = 0;
    while (i < a_.size() || j < b_.size()) {
      const int one = i < a_.size() && j < b_.size() ? alike_[i * b_.size() + j] : 0;
      if (one > 0 && best_[at(i, j)] == best_[at(i + 1, j + 1)] + one) {
        result.push_back(std::move(a_[i++]));
        join(result.back(), std::move(b_[j++]));
      } else if (i < a_.size() && best_[at(i, j)] == best_[at(i + 1, j)]) {
        result.push_back(std::move(a_[i++]));
      } else {
        result.push_back(std::move(b_[j++]));
      }
    }
  }

 private:
  std::size_t at(std::size_t i, std::size_t j) const { return i * width_ + j; }

  // Loops are one also where their bodies have only a part in common.
  static int likeness_of(RankedStatement& a, RankedStatement& b) {
    const int whole = model::weight(a, b);
    if (whole > 0 || a.iterations == 0 || a.iterations != b.iterations) return whole;
    if (a.body.size() * b.body.size() > kMostCells) return 0;
    return Alignment(a.body, b.body).weight();
  }

  std::span<RankedStatement> a_, b_;
  std::size_t width_;
  std::vector<int> best_, alike_;
};

// `own` is what one more rank does.
void merge(RankedBlock& all, RankedBlock&& own) {
  if (all.size() == own.size() && weight_of_all(all, own) > 0) {
    for (std::size_t i = 0; i < all.size(); ++i) join(all[i], std::move(own[i]));
    return;
  }
  const std::size_t shorter = std::min(all.size(), own.size());
  std::size_t begin = 0, end = 0;
  while (begin < shorter && is_surely_one(all[begin], own[begin])) ++begin;
  while (end < shorter - begin && is_surely_one(all[all.size() - 1 - end], own[own.size() - 1 - end])) ++end;
  RankedBlock result;
  const auto a = std::span(all).subspan(begin, all.size() - begin - end);
  const auto b = std::span(own).subspan(begin, own.size() - begin - end);
  for (std::size_t i = 0; i < begin; ++i) {
    result.push_back(std::move(all[i]));
    join(result.back(), std::move(own[i]));
  }
  if (a.size() * b.size() <= kMostCells) {
    Alignment(a, b).join_into(result);
  } else {
    std::ranges::move(a, std::back_inserter(result));
    std::ranges::move(b, std::back_inserter(result));
  }
  for (std::size_t i = end; i > 0; --i) {
    result.push_back(std::move(all[all.size() - i]));
    join(result.back(), std::move(own[own.size() - i]));
  }
  all = std::move(result);
}

}  // namespace

void RankFolder::add(std::uint32_t rank, const FoldedBlock& block) {
  RankedBlock own;
  for (const FoldedStatement& statement : block) own.push_back(ranked(rank, ranks_, statement));
  merge(block_, std::move(own));
}

}  // namespace plumbline::replay::model
