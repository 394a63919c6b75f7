#pragma once
// What a replay expects of each operation, as columns beside a program's operations. expected_archive.hpp writes them
// into an expected archive and reads them back.

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/memory/kept_column.hpp"
#include "base/memory/scratch.hpp"
#include "base/units.hpp"
#include "replay/expect/columns/component_totals.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// One rank; every column has one entry per operation.
struct ExpectedRank {
  KeptColumn<OperationTimes> free;    // the coherent expected run: time stamps of the expected archive
  KeptColumn<Duration> lower, upper;  // anchored duration; they differ only where the page cache is a bracket
  KeptColumn<Duration> band;          // what the spread of the platform's parameters allows above and below
  // With what was recorded inside; where nothing was, as configured.
  KeptColumn<Duration> as_run, as_run_upper;
  // Whether as-run is by what was recorded inside. May be shorter than the others: not by anything.
  KeptColumn<std::uint8_t> by_inner = {};
  KeptColumn<std::uint64_t> ideal_io;    // POSIX data operations needed; 0: not an I/O operation of the ideal form
  KeptColumn<std::uint32_t> not_judged;  // index into Expected::reasons, or kNone
  // By the tables of the library and the hints in force. Both may be shorter: lower and upper.
  KeptColumn<Duration> as_configured = {}, as_configured_upper = {};

  Duration configured(std::size_t i) const { return i < as_configured.size() ? as_configured[i] : lower[i]; }
  Duration configured_upper(std::size_t i) const {
    return i < as_configured_upper.size() ? as_configured_upper[i] : upper[i];
  }
};

// Calls visit(column) for each column of an ExpectedRank, which may be const, in the order in which they stand there.
template <class Rank, class Visit>
void for_each_column(Rank& rank, Visit visit) {
  visit(rank.free), visit(rank.lower), visit(rank.upper), visit(rank.band);
  visit(rank.as_run), visit(rank.as_run_upper), visit(rank.by_inner);
  visit(rank.ideal_io), visit(rank.not_judged);
  visit(rank.as_configured), visit(rank.as_configured_upper);
}

// A rank whose columns, which are still empty, lie there.
inline ExpectedRank columns_in(const Scratch& scratch) {
  ExpectedRank rank;
  for_each_column(rank, [&](auto& column) { column = std::decay_t<decltype(column)>(scratch); });
  return rank;
}

// Of the last operation of the free replay; 0 where there is none.
inline Time end_of(const std::vector<ExpectedRank>& ranks) {
  Time end;
  for (const ExpectedRank& rank : ranks)
    if (!rank.free.empty()) end = std::max(end, rank.free.back().end);
  return end;
}

struct Expected {
  std::vector<ExpectedRank> ranks;
  std::vector<std::string> reasons;
  std::string platform;   // file name and content hash
  std::string source;     // content hash of the observed archive
  std::string schedules;  // by which algorithms collectives are expected, ideally and as configured
  std::vector<ComponentTotals> components = {};  // of the platform in the expected run, longest busy first
  std::vector<std::string> remarks = {};         // what a reader has to know: of two runs what is only in one of them
  Scratch scratch = {};  // where the columns lie, and what else grows with the operations of whoever works with them
};

}  // namespace plumbline::replay
