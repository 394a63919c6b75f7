#include "replay/compare/pairing/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/check.hpp"
#include "base/error.hpp"
#include "replay/compare/pairing/differing_runs.hpp"
#include "replay/compare/pairing/failed_polls.hpp"
#include "replay/compare/pairing/run_columns.hpp"
#include "replay/compare/pairing/split_runs.hpp"

namespace plumbline::replay {
namespace {

Problem told(std::string where, std::string what, const CompareOptions& names) {
  return {std::move(where), std::move(what),
          fmt::format("were {} and {} made from the same run?", names.observed_name, names.reference_name)};
}

[[noreturn]] void refuse(std::string where, std::string what, const CompareOptions& names) {
  throw Error(told(std::move(where), std::move(what), names), ExitCode::kNotComparable);
}

// "MPI_Send to 4", "MPI_Bcast from root 0", "MPI_Wait".
std::string describe(const Program& program, const Operation& operation) {
  std::string text{program.call(operation.call)};
  if (has_peer(operation.kind)) {
    const bool sends = operation.kind <= OpKind::kIsend || operation.kind == OpKind::kSendrecv;
    const std::string peer = operation.peer == kNoPeer ? "nobody" : fmt::format("{}", operation.peer);
    return fmt::format("{} {} {}", text, sends ? "to" : "from", peer);
  }
  if (operation.kind == OpKind::kCollective && operation.peer != kNoPeer)
    return fmt::format("{} with root {}", text, operation.peer);
  return text;
}

// Structure of two programs, whose tables of names and communicators may be numbered differently.
class Structure {
 public:
  Structure(const Program& a, const Program& b) : a_(a), b_(b) {}

  // What differs, as the two operations should be told; both empty when nothing does.
  std::pair<std::string, std::string> difference(const Operation& x, const Operation& y) {
    const bool same_call =
        x.kind == y.kind && same(calls_, x.call, y.call, [&] { return a_.call(x.call) == b_.call(y.call); });
    // A wildcard may be met by another sender in another run.
    const bool wild = has_peer(x.kind) && ((x.flags & y.flags) & kAnySource) != 0;
    if (!same_call || (!wild && x.peer != y.peer)) return {describe(a_, x), describe(b_, y)};
    const std::uint32_t of_x = comm_of(a_, x), of_y = comm_of(b_, y);
    if (!is_io(x.kind) && !same_comm(of_x, of_y))
      return {describe(a_, x) + " on a communicator of " + members(a_, of_x),
              describe(b_, y) + " on a communicator of " + members(b_, of_y)};
    if (!wild && x.bytes != y.bytes)
      return {fmt::format("{} of {} bytes", describe(a_, x), x.bytes),
              fmt::format("{} of {} bytes", describe(b_, y), y.bytes)};
    return {};
  }

 private:
  using Known = std::map<std::pair<std::uint32_t, std::uint32_t>, bool>;

  template <typename Compare>
  static bool same(Known& known, std::uint32_t x, std::uint32_t y, Compare compare) {
    const auto [place, is_new] = known.try_emplace({x, y}, false);
    if (is_new) place->second = compare();
    return place->second;
  }

  static std::uint32_t comm_of(const Program& program, const Operation& operation) {
    return is_one_sided(operation.kind) ? program.windows()[operation.comm].comm : operation.comm;
  }

  bool same_comm(std::uint32_t x, std::uint32_t y) {
    if (x == kNone || y == kNone) return x == y;
    return same(comms_, x, y, [&] {
      const CommView a = a_.comm(x), b = b_.comm(y);
      return std::ranges::equal(a.members, b.members) && std::ranges::equal(a.remote_members, b.remote_members);
    });
  }

  static std::string members(const Program& program, std::uint32_t comm) {
    if (comm == kNone) return "no ranks";
    const CommView view = program.comm(comm);
    return fmt::format("{} ranks", view.members.size() + view.remote_members.size());
  }

  const Program& a_;
  const Program& b_;
  Known calls_, comms_;
};

// Walks two ranks side by side, leaving failed polls out.
class RankWalk {
 public:
  RankWalk(const Program& program, FailedPolls& polls, std::uint32_t rank)
      : rank_(program.rank(rank)), polls_(polls), compared_(count()) {}

  // Operations to compare.
  std::size_t compared() const { return compared_; }
  // Index of the next operation to compare, or the number of operations.
  std::size_t next() {
    while (at_ < rank_.operations.size() && polls_.contains(rank_.operations[at_])) ++at_;
    return at_ < rank_.operations.size() ? at_++ : at_;
  }

 private:
  std::size_t count() const {
    return static_cast<std::size_t>(std::count_if(rank_.operations.begin(), rank_.operations.end(),
                                                  [&](const Operation& o) { return !polls_.contains(o); }));
  }

  const RankProgram& rank_;
  FailedPolls& polls_;
  std::size_t compared_;
  std::size_t at_ = 0;
};

class Pairs {
 public:
  Pairs(const Program& observed, const Program& reference, const CompareOptions& names)
      : observed_(observed),
        reference_(reference),
        names_(names),
        structure_(observed, reference),
        observed_polls_(observed),
        reference_polls_(reference) {}

  // Nothing where the rank's operations differ: difference() tells the first one.
  std::optional<ExpectedRank> columns(std::uint32_t rank, const Scratch& scratch) {
    ExpectedRank columns = columns_in(scratch);
    RankWalk mine(observed_, observed_polls_, rank), other(reference_, reference_polls_, rank);
    const RankProgram &a = observed_.rank(rank), &b = reference_.rank(rank);
    std::size_t j = other.next();
    for (std::size_t i = mine.next(); i < a.operations.size() && j < b.operations.size();
         i = mine.next(), j = other.next()) {
      while (columns.free.size() < i) append_of_run(columns, a.times[columns.free.size()]);
      if (differ(rank, i, a.operations[i], b.operations[j])) return std::nullopt;
      append_of_run(columns, b.times[j]);
      columns.ideal_io.back() = inner_data_operations(b, static_cast<std::uint32_t>(j));
      if ((b.operations[j].flags & kNotJudged) != 0) columns.not_judged.back() = kNotJudgedThere;
    }
    if (mine.compared() != other.compared()) {
      difference_ = told(fmt::format("rank {}", rank),
                         fmt::format("{} operations in {}, {} in {}", mine.compared(), names_.observed_name,
                                     other.compared(), names_.reference_name),
                         names_);
      return std::nullopt;
    }
    while (columns.free.size() < a.operations.size()) append_of_run(columns, a.times[columns.free.size()]);
    return columns;
  }

  const Problem& difference() const { return difference_; }

 private:
  bool differ(std::uint32_t rank, std::size_t index, const Operation& x, const Operation& y) {
    const auto [mine, other] = structure_.difference(x, y);
    if (mine.empty()) return false;
    difference_ =
        told(fmt::format("rank {}, operation {}", rank, index),
             fmt::format("{} in {}, {} in {}", mine, names_.observed_name, other, names_.reference_name), names_);
    return true;
  }

  const Program& observed_;
  const Program& reference_;
  const CompareOptions& names_;
  Structure structure_;
  FailedPolls observed_polls_, reference_polls_;
  Problem difference_;
};

void require_same_ranks(std::size_t observed, std::size_t reference, const CompareOptions& names) {
  if (observed == reference) return;
  refuse("", fmt::format("{} ranks in {}, {} in {}", observed, names.observed_name, reference, names.reference_name),
         names);
}

}  // namespace

void require_same_run(const Program& observed, const Expected& expected, const CompareOptions& names) {
  require_same_ranks(observed.ranks(), expected.ranks.size(), names);
  for (std::uint32_t rank = 0; rank < observed.ranks(); ++rank) {
    const std::size_t mine = observed.rank(rank).operations.size();
    const ExpectedRank& columns = expected.ranks[rank];
    const std::size_t other = columns.lower.size();
    PLUMBLINE_CHECK(columns.free.size() == other && columns.upper.size() == other && columns.band.size() == other &&
                        columns.as_run.size() == other && columns.as_run_upper.size() == other &&
                        columns.ideal_io.size() == other && columns.not_judged.size() == other,
                    "columns of different lengths");
    if (mine != other)
      refuse(fmt::format("rank {}", rank),
             fmt::format("{} operations in {}, {} in {}", mine, names.observed_name, other, names.reference_name),
             names);
  }
  const std::string_view source = observed.property("source");
  if (!source.empty() && !expected.source.empty() && source != expected.source)
    refuse(names.reference_name, fmt::format("was made from another archive than {}", names.observed_name), names);
}

Expected columns_of_run(const Program& observed, const Program& reference, const CompareOptions& names,
                        const Scratch& scratch) {
  require_same_ranks(observed.ranks(), reference.ranks(), names);
  Expected expected;
  expected.scratch = scratch;
  expected.reasons.emplace_back(kReasonsOfRuns[kNotJudgedThere]);
  Pairs pairs(observed, reference, names);
  for (std::uint32_t rank = 0; rank < observed.ranks(); ++rank) {
    std::optional<ExpectedRank> columns = pairs.columns(rank, scratch);
    if (!columns) return columns_of_differing_runs(observed, reference, names, pairs.difference(), scratch);
    expected.ranks.push_back(std::move(*columns));
  }
  explain_split_calls(observed, expected);
  return expected;
}

}  // namespace plumbline::replay
