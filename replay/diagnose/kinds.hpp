#pragma once
// The kinds of findings, one source file each, and what they share.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "replay/compare/comparison.hpp"
#include "replay/diagnose/finding.hpp"
#include "replay/expected/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// MPI-IO calls split into more POSIX operations, or moving more bytes, than the ideal form needs.
std::vector<Finding> split_io(const Comparison& comparison, const Program& observed);

// A rank, or all ranks of a node, slower than the other ranks in the same rows.
std::vector<Finding> slower_than_peers(const Comparison& comparison, const Program& observed, const Expected& expected);

// Rows slower than the platform, or the reference run, says.
std::vector<Finding> slower_than_reference(const Comparison& comparison);

// Advice on the hints of MPI-IO, by those in force (split_io).
std::vector<std::string> advice_on_hints(const Program& observed, const Comparison& comparison, const Row& row,
                                         bool read_before_write);

// Largest sum of one member over the rows' parts on any one rank.
Duration largest_on_one_rank(std::span<const Row* const> rows, Duration RankPart::*member);
std::vector<std::uint32_t> ranks_of(std::span<const Row* const> rows);
double share_of(Duration part, Duration whole);
// Own excess of all rows that have any, summed over ranks.
Duration all_excess(const Comparison& comparison);
// " at write_checkpoint (jacobi.c:142)"; "" without a site.
std::string at_site(const Row& row);

}  // namespace plumbline::replay
