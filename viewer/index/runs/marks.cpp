#include "viewer/index/runs/marks.hpp"

#include <set>
#include <string_view>
#include <vector>

#include "replay/compare/tally.hpp"
#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer {
namespace {

// Alone, or behind the class of an error: replay/program/compile/location/compiler.cpp, failed_calls.cpp.
constexpr std::string_view kEndedInCall = "the process ended in this call";

void mark_unfinished(const Runs& runs, std::uint32_t rank, KeptColumn<std::uint8_t>& marks) {
  for (const replay::Reason& reason : runs.observed.rank(rank).reasons)
    if (reason.operation < marks.size() && runs.observed.reason(reason.text).ends_with(kEndedInCall))
      marks[reason.operation] |= kUnfinishedMark;
}

void mark_not_judged(const Runs& runs, const CallFacts& calls, std::uint32_t rank, KeptColumn<std::uint8_t>& marks) {
  const RankColumns columns(runs, calls, rank);
  for (std::uint32_t operation = 0; operation < marks.size(); ++operation)
    if (!columns.is_judged(operation)) marks[operation] |= kNotJudgedMark;
}

class WithheldRows {
 public:
  explicit WithheldRows(const Runs& runs) : keys_(runs.observed), has_call_(runs.observed.calls(), 0) {
    if (!runs.comparison) return;
    for (const replay::Row& row : runs.comparison->rows) {
      if (!row.withheld) continue;
      rows_.insert(row.key);
      if (row.key.call < has_call_.size()) has_call_[row.key.call] = 1;
    }
  }

  void mark(const replay::RankProgram& program, KeptColumn<std::uint8_t>& marks) const {
    if (rows_.empty()) return;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const replay::Operation& operation = program.operations[i];
      if (has_call_[operation.call] != 0 && rows_.contains(keys_.of(program, operation))) marks[i] |= kWithheldMark;
    }
  }

 private:
  const replay::RowKeys keys_;
  std::set<replay::RowKey> rows_;
  std::vector<std::uint8_t> has_call_;  // by call: whether there is a row of it
};

}  // namespace

void set_marks(Runs& runs, std::span<const OperationId> of_findings) {
  const CallFacts calls = facts_of_calls(runs.observed);
  const WithheldRows withheld(runs);
  runs.marks.clear();
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    KeptColumn<std::uint8_t>& marks = runs.marks.emplace_back(runs.expected ? runs.expected->scratch : Scratch());
    marks.resize(runs.observed.rank(rank).operations.size());
    mark_unfinished(runs, rank, marks);
    if (runs.is_compared()) mark_not_judged(runs, calls, rank, marks);
    withheld.mark(runs.observed.rank(rank), marks);
  }
  for (const OperationId id : of_findings)
    if (id.rank < runs.marks.size() && id.operation < runs.marks[id.rank].size())
      runs.marks[id.rank][id.operation] |= kFindingMark;
}

}  // namespace plumbline::viewer
