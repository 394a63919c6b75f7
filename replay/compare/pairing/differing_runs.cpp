#include "replay/compare/pairing/differing_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "base/time_sum.hpp"
#include "replay/compare/pairing/alignment.hpp"
#include "replay/compare/pairing/failed_polls.hpp"
#include "replay/compare/pairing/likeness.hpp"
#include "replay/compare/pairing/run_columns.hpp"
#include "replay/compare/pairing/split_runs.hpp"
#include "replay/compare/result/wording.hpp"

namespace plumbline::replay {
namespace {

// The operations of one rank that are compared, and a number for each that tells what it is like.
struct Sequence {
  std::vector<std::uint32_t> operations, tokens;
};

struct OnlyInOne {
  std::uint64_t operations = 0;
  TimeSum time;
};

// By call and site, as their program numbers them.
using Unpaired = std::map<std::pair<std::uint16_t, std::uint32_t>, OnlyInOne>;

class DifferingRuns {
 public:
  DifferingRuns(const Program& observed, const Program& reference, const Scratch& scratch)
      : programs_{&observed, &reference},
        likenesses_(observed, reference),
        polls_{FailedPolls(observed), FailedPolls(reference)} {
    expected_.scratch = scratch;
    expected_.reasons.assign(std::begin(kReasonsOfRuns), std::end(kReasonsOfRuns));
  }

  Expected run() {
    for (std::uint32_t rank = 0; rank < programs_[0]->ranks(); ++rank) add_rank(rank);
    explain_split_calls(*programs_[0], expected_);
    return std::move(expected_);
  }

  std::uint64_t paired() const { return paired_; }
  std::uint64_t compared(std::size_t which) const { return compared_[which]; }
  const Unpaired& only_in(std::size_t which) const { return unpaired_[which]; }

 private:
  Sequence sequence_of(std::size_t which, std::uint32_t rank) {
    Sequence sequence;
    const std::span<const Operation> operations = programs_[which]->rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i) {
      if (polls_[which].contains(operations[i])) continue;
      sequence.operations.push_back(i);
      sequence.tokens.push_back(likenesses_.of(which, operations[i]));
    }
    compared_[which] += sequence.operations.size();
    return sequence;
  }

  void add_rank(std::uint32_t rank) {
    const Sequence mine = sequence_of(0, rank), other = sequence_of(1, rank);
    const std::vector<AlignedPair> pairs = align(mine.tokens, other.tokens);
    paired_ += pairs.size();
    ExpectedRank& columns = expected_.ranks.emplace_back(columns_in(expected_.scratch));
    const std::span<const OperationTimes> there = programs_[1]->rank(rank).times;
    last_ = there.empty() ? begin_of(*programs_[1]) : there.front().begin;
    std::size_t at = 0, behind = 0;  // of `mine` and of `other`: what does not pair before these is counted
    for (const AlignedPair& pair : pairs) {
      for (; at < pair.a; ++at) add_only_here(columns, rank, mine.operations[at]);
      for (; behind < pair.b; ++behind) count(1, rank, other.operations[behind]);
      add_pair(columns, rank, mine.operations[at++], other.operations[behind++]);
    }
    for (; at < mine.operations.size(); ++at) add_only_here(columns, rank, mine.operations[at]);
    for (; behind < other.operations.size(); ++behind) count(1, rank, other.operations[behind]);
    add_polls(columns, rank, programs_[0]->rank(rank).operations.size());
  }

  // Those before that operation, which have the times that they had here.
  void add_polls(ExpectedRank& columns, std::uint32_t rank, std::size_t before) {
    const std::span<const OperationTimes> times = programs_[0]->rank(rank).times;
    while (columns.free.size() < before) append_of_run(columns, times[columns.free.size()]);
  }

  void add_pair(ExpectedRank& columns, std::uint32_t rank, std::uint32_t mine, std::uint32_t other) {
    add_polls(columns, rank, mine);
    const RankProgram& reference = programs_[1]->rank(rank);
    append_of_run(columns, reference.times[other]);
    last_ = reference.times[other].end;
    columns.ideal_io.back() = inner_data_operations(reference, other);
    if ((reference.operations[other].flags & kNotJudged) != 0) columns.not_judged.back() = kNotJudgedThere;
  }

  // In the other run it takes no time, behind what ended last there.
  void add_only_here(ExpectedRank& columns, std::uint32_t rank, std::uint32_t mine) {
    add_polls(columns, rank, mine);
    append_of_run(columns, {last_, last_});
    columns.not_judged.back() = kOnlyHere;
    count(0, rank, mine);
  }

  void count(std::size_t which, std::uint32_t rank, std::uint32_t operation) {
    const RankProgram& program = programs_[which]->rank(rank);
    const OperationTimes& times = program.times[operation];
    OnlyInOne& only = unpaired_[which][{program.operations[operation].call, program.operations[operation].site}];
    ++only.operations;
    only.time += times.end - times.begin;
  }

  const Program* programs_[2];
  Likenesses likenesses_;
  FailedPolls polls_[2];
  Expected expected_;
  Time last_;  // in the other run: the end of the pair before
  std::uint64_t paired_ = 0, compared_[2] = {0, 0};
  Unpaired unpaired_[2];
};

std::string place_of(const Program& program, const Unpaired::key_type& call_and_site) {
  const std::string_view call = program.call(call_and_site.first), site = program.site(call_and_site.second);
  return site.empty() ? std::string(call) : fmt::format("{} in {}", call, site);
}

// "only in today: 12 of 3456 operations (3.1 ms): 12 MPI_Barrier in solve (solve.c:40)", those of the longest time
// first.
std::string remark_of(const Program& program, const Unpaired& only, std::uint64_t all, const std::string& name) {
  constexpr std::size_t kTold = 5;
  OnlyInOne sum;
  std::vector<std::pair<std::string, OnlyInOne>> calls;
  for (const auto& [call, of_it] : only) {
    calls.emplace_back(place_of(program, call), of_it);
    sum.operations += of_it.operations;
    sum.time += of_it.time;
  }
  std::ranges::sort(calls, {}, [](const auto& call) -> const std::string& { return call.first; });
  std::ranges::stable_sort(calls, std::greater<>(), [](const auto& call) { return call.second.time; });
  std::string text = fmt::format("only in {}: {} of {} operations ({})", name, sum.operations, all, format(sum.time));
  for (std::size_t i = 0; i < std::min(calls.size(), kTold); ++i)
    text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", calls[i].second.operations, calls[i].first);
  if (calls.size() > kTold) text += fmt::format(", and {} more", plural(calls.size() - kTold, "call"));
  return text;
}

}  // namespace

Expected columns_of_differing_runs(const Program& observed, const Program& reference, const CompareOptions& names,
                                   const Problem& difference, const Scratch& scratch) {
  DifferingRuns runs(observed, reference, scratch);
  Expected expected = runs.run();
  const std::uint64_t most = std::max(runs.compared(0), runs.compared(1));
  if (2 * runs.paired() < most)
    throw Error(difference.where,
                fmt::format("{}; only {} of {} pair", difference.what, runs.paired(), plural(most, "operation")),
                difference.hint, ExitCode::kNotComparable);
  const Program* const programs[2] = {&observed, &reference};
  const std::string* const name[2] = {&names.observed_name, &names.reference_name};
  for (std::size_t which = 0; which < 2; ++which)
    if (!runs.only_in(which).empty())
      expected.remarks.push_back(remark_of(*programs[which], runs.only_in(which), runs.compared(which), *name[which]));
  return expected;
}

}  // namespace plumbline::replay
