#pragma once
// The kinds of findings, one source file each, and what they share.

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/diagnose/finding.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// MPI-IO calls split into more POSIX operations, or moving more bytes, than the ideal form needs; for two runs, than
// the reference run made.
struct SplitIo {
  std::vector<Finding> findings;
  std::set<const Row*> explained;  // rows of the comparison that took what they took because of their many operations
};
SplitIo split_io(const Comparison& comparison, const Program& observed, const Program* reference);

// Collectives whose algorithm, as recorded inside or as configured, costs more than the fastest one on this platform.
std::vector<Finding> costly_algorithms(const Comparison& comparison, const Program& observed, const Expected& expected);

// Collective accesses to files through fewer ranks than there are nodes, which costs more than one on each node.
// `told`: findings about the same comparison, whose rows are left out.
std::vector<Finding> few_aggregators(const Comparison& comparison, const Program& observed,
                                     const std::vector<Finding>& told);

// A rank, or all ranks of a node, slower than the other ranks in the same rows.
std::vector<Finding> slower_than_peers(const Comparison& comparison, const Program& observed, const Expected& expected);

// Rows slower than the platform, or the reference run, says; but for those that are explained otherwise.
std::vector<Finding> slower_than_reference(const Comparison& comparison, const std::set<const Row*>& explained);

// Advice on the hints of MPI-IO, by those in force (split_io).
std::vector<std::string> advice_on_hints(const Program& observed, const Comparison& comparison, const Row& row,
                                         bool read_before_write);

// Advice on the number of aggregators of a collective access, so many in the ideal form (few_aggregators). Empty where
// the hints in force allow as many already, so that what the library did is no matter of hints.
std::vector<std::string> advice_on_aggregators(const Program& observed, const Comparison& comparison, const Row& row,
                                               std::uint64_t aggregators);

// "hint romio_cb_write=disable here, automatic there; ..": of the files of the row's call in both runs; "" when none.
std::string hints_that_differ(const Program& observed, const Program& reference, const Row& row);

// What a sign test says of an effect, and the same in words.
Confidence confidence_of(const Effect& effect);
std::string basis_of(const Comparison& comparison, const Effect& effect);

// Largest sum of `of` (a member, say) over the rows' parts on any one rank.
TimeSum largest_on_one_rank(std::span<const Row* const> rows, const std::function<TimeSum(const RankPart&)>& of);
std::vector<std::uint32_t> ranks_of(std::span<const Row* const> rows);
// Whether one of them is shown to be slower, or would be if waiting said anything.
bool is_shown(std::span<const Row* const> rows);
// Whether a loss is at least the threshold's share of the run.
bool matters(TimeSum loss, const Comparison& comparison);
const Row& costliest_by_structure(std::span<const Row* const> rows);
// A finding against a better structure of the calls in `rows`, of which there is one or more; their costliest row
// speaks for it. What is left for the caller: component, title, advice, and what the cost is of.
Finding structure_finding(std::span<const Row* const> rows, TimeSum cost, const Comparison& comparison);
// Sets the finding's rows, which are of `comparison`, and their worst instances.
void point_to(Finding& finding, const Comparison& comparison, std::span<const Row* const> rows);
// Part that a loss summed over ranks is of what all operations above their bracket lost; at most 1.
double part_of_all(TimeSum loss, const Comparison& comparison);
// " at write_checkpoint (jacobi.c:142)"; "" without a site.
std::string at_site(const Row& row);

}  // namespace plumbline::replay
