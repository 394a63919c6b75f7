#include "viewer/index/opening/check.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace plumbline::viewer {
namespace {

using replay::kNone;

// How many operations each rank has.
class Bounds {
 public:
  explicit Bounds(const replay::Program& program) {
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      operations_.push_back(program.rank(rank).operations.size());
  }

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(operations_.size()); }
  std::size_t operations(std::uint32_t rank) const { return operations_[rank]; }
  bool have(OperationId id) const { return id.rank < operations_.size() && id.operation < operations_[id.rank]; }
  bool have_or_none(OperationId id) const { return !id.exists() || have(id); }
  bool have_ranks(const std::vector<std::uint32_t>& ranks) const {
    return std::ranges::all_of(ranks, [&](std::uint32_t rank) { return rank < operations_.size(); });
  }

 private:
  std::vector<std::size_t> operations_;
};

bool is_below_or_none(std::uint32_t index, std::size_t count) { return index == kNone || index < count; }

// Columns that may be left out are as long as the others or shorter.
bool is_of(const replay::ExpectedRank& rank, std::size_t operations, std::size_t reasons) {
  for (const KeptColumn<Duration>* const column :
       {&rank.lower, &rank.upper, &rank.band, &rank.as_run, &rank.as_run_upper})
    if (column->size() != operations) return false;
  return rank.free.size() == operations && rank.ideal_io.size() == operations && rank.not_judged.size() == operations &&
         rank.by_inner.size() <= operations && rank.as_configured.size() <= operations &&
         rank.as_configured_upper.size() <= operations &&
         std::ranges::all_of(rank.not_judged, [&](std::uint32_t reason) { return is_below_or_none(reason, reasons); });
}

bool is_of(const replay::Expected& expected, const Bounds& bounds) {
  if (expected.ranks.size() != bounds.ranks()) return false;
  for (std::uint32_t rank = 0; rank < bounds.ranks(); ++rank)
    if (!is_of(expected.ranks[rank], bounds.operations(rank), expected.reasons.size())) return false;
  return true;
}

bool is_of(const RankMatches& rank, std::size_t operations, const Bounds& bounds) {
  const auto is_inside = [&](const Link& link) { return link.operation < operations && bounds.have_or_none(link.to); };
  return rank.partner.size() == operations &&
         std::ranges::all_of(rank.partner, [&](OperationId id) { return bounds.have_or_none(id); }) &&
         std::ranges::all_of(rank.sent_to, is_inside) && std::ranges::all_of(rank.completed, is_inside);
}

bool is_of(const Series& series, const replay::Program& observed, const Bounds& bounds) {
  const std::vector<std::uint32_t>& first = series.first;
  const bool is_known = series.of <= SeriesOf::kWindow && is_below_or_none(series.comm, observed.comms()) &&
                        (series.of != SeriesOf::kComm || series.comm != kNone);
  const bool is_divided = !series.ranks.empty() && first.size() == series.ranks.size() + 1 &&
                          std::ranges::is_sorted(first) && first.back() <= series.calls.size();
  if (!is_known || !is_divided || !bounds.have_ranks(series.ranks)) return false;
  for (std::size_t place = 0; place < series.ranks.size(); ++place)
    for (const std::uint32_t call : series.calls_of(place))
      if (!bounds.have({series.ranks[place], call})) return false;
  return true;
}

bool is_of(const Matches& matches, const replay::Program& observed, const Bounds& bounds) {
  if (matches.ranks.size() != bounds.ranks()) return false;
  for (std::uint32_t rank = 0; rank < bounds.ranks(); ++rank)
    if (!is_of(matches.ranks[rank], bounds.operations(rank), bounds)) return false;
  return std::ranges::all_of(matches.without_partner, [&](OperationId id) { return bounds.have(id); }) &&
         std::ranges::all_of(matches.series, [&](const Series& each) { return is_of(each, observed, bounds); });
}

bool is_of(const Lanes& lanes, std::size_t components, const Bounds& bounds) {
  if (lanes.ranks.size() != bounds.ranks()) return false;
  for (std::uint32_t rank = 0; rank < bounds.ranks(); ++rank) {
    const Lane& lane = lanes.ranks[rank];
    if (lane.number != rank || lane.kind != LaneKind::kRank || lane.worst_rank >= bounds.ranks()) return false;
  }
  return std::ranges::all_of(lanes.components, [&](const Lane& lane) {
    return lane.kind == LaneKind::kComponent && lane.number >= kFirstComponentLane &&
           lane.number - kFirstComponentLane < components;
  });
}

bool is_of(const replay::RowKey& key, const replay::Program& observed, std::size_t files) {
  return key.call < observed.calls() && key.size_class <= 64 && key.kind <= replay::kLastOpKind &&
         is_below_or_none(key.site, observed.sites()) && is_below_or_none(key.file, files);
}

bool is_known(replay::Verdict verdict) {
  return verdict >= replay::Verdict::kAsExpected && verdict <= replay::Verdict::kNotJudged;
}

bool is_known(replay::ReferenceRun reference) {
  return reference == replay::ReferenceRun::kExpected || reference == replay::ReferenceRun::kObserved;
}

bool is_of(const replay::Row& row, const replay::Program& observed, std::size_t files, const Bounds& bounds) {
  return is_of(row.key, observed, files) && is_known(row.own.verdict) && is_known(row.stack.verdict) &&
         std::ranges::all_of(row.parts, [&](const replay::RankPart& part) { return part.rank < bounds.ranks(); }) &&
         std::ranges::all_of(row.instances, [&](const replay::Instance& instance) {
           return bounds.have({instance.rank, instance.operation});
         });
}

bool is_of(const replay::Comparison& comparison, const replay::Program& observed, const Bounds& bounds) {
  const std::size_t files = comparison.files.size();
  const auto is_group = [&](std::uint32_t group) { return group < files; };
  return is_known(comparison.reference) && comparison.totals.ranks == bounds.ranks() &&
         comparison.off_cpu.size() == bounds.ranks() && comparison.file_group.size() == observed.files() &&
         std::ranges::all_of(comparison.file_group, is_group) &&
         std::ranges::all_of(comparison.shared_cores,
                             [&](const replay::SharedCores& shared) { return bounds.have_ranks(shared.ranks); }) &&
         std::ranges::all_of(comparison.rows,
                             [&](const replay::Row& row) { return is_of(row, observed, files, bounds); });
}

}  // namespace

bool is_of(const Opening& opening, const replay::Program& observed) {
  const Bounds bounds(observed);
  if (opening.marks.size() != bounds.ranks()) return false;
  for (std::uint32_t rank = 0; rank < bounds.ranks(); ++rank)
    if (opening.marks[rank].size() != bounds.operations(rank)) return false;
  if (!is_known(opening.reference) || opening.expected.has_value() != opening.comparison.has_value()) return false;
  return is_of(opening.matches, observed, bounds) && is_of(opening.lanes, opening.components.size(), bounds) &&
         (!opening.expected || is_of(*opening.expected, bounds)) &&
         (!opening.comparison || is_of(*opening.comparison, observed, bounds));
}

}  // namespace plumbline::viewer
