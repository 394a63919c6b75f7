#include "viewer/index/aggregates/profile.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

#include "base/memory/flat_table.hpp"
#include "viewer/index/pyramid/overlap.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

class Rows {
 public:
  explicit Rows(const Runs& runs) : runs_(runs), calls_(facts_of_calls(runs.observed)) {}

  void add(std::uint32_t rank, std::uint32_t i, Duration inside) {
    const replay::Operation& op = runs_.observed.rank(rank).operations[i];
    ProfileRow& row = row_of(op, RankColumns(runs_, calls_, rank).kind(i));
    ++row.count;
    row.bytes += op.bytes;
    row.observed += inside;
    const Parts parts = parts_of(runs_, rank, i);
    if (!parts.judged) return;
    ProportionalShare share(inside, parts.observed);
    row.expected += share.of(parts.free);
    row.inherited += share.of(parts.inherited);
    row.own += share.of(parts.own);
  }

  std::vector<ProfileRow> take() {
    std::ranges::sort(rows_, [](const ProfileRow& a, const ProfileRow& b) {
      return std::tie(b.observed.ps, a.call, a.site, a.kind) < std::tie(a.observed.ps, b.call, b.site, b.kind);
    });
    return std::move(rows_);
  }

 private:
  ProfileRow& row_of(const replay::Operation& op, CallKind kind) {
    const std::uint64_t id =
        static_cast<std::uint64_t>(op.site) << 32 | std::uint64_t{op.call} << 8 | static_cast<std::uint64_t>(kind);
    const std::size_t* known = places_.find(id);
    if (known == nullptr) {
      known = &places_.put(id, rows_.size());
      rows_.push_back({op.call, op.site, kind, 0, 0, {}, {}, {}, {}});
    }
    return rows_[*known];
  }

  const Runs& runs_;
  const CallFacts calls_;
  FlatTable<std::size_t> places_;  // of site, call and kind, in `rows_`
  std::vector<ProfileRow> rows_;
};

}  // namespace

std::vector<ProfileRow> profile_of(const Runs& runs, TimeRange range, std::span<const std::uint32_t> ranks) {
  Rows rows(runs);
  const Time end = end_of(runs);
  for (const std::uint32_t rank : ranks)
    for_each_in(runs, end, range, rank, [&](std::uint32_t i, Duration inside) { rows.add(rank, i, inside); });
  return rows.take();
}

}  // namespace plumbline::viewer
