#pragma once
// What the algorithm of a collective costs: not how long it keeps its ranks, but how much later the last of them is
// done. A rank that is kept until a late one comes, and would have waited for it elsewhere, has lost nothing.

#include <map>
#include <utility>

#include "base/time_sum.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// A collective at one place in the program: indices into the program's calls and sites, as RowKey has them.
using CallPlace = std::pair<std::uint16_t, std::uint32_t>;

// Sum over the calls of each data collective of
//   max over ranks (begin + upper + structure) - max over ranks (begin + upper),
// 0 or more, laid at the place where the rank that is done last by the algorithm that ran was. Begins are observed,
// structure is that of excess.hpp. Ranks on which a call is not judged are done when they were observed to be.
std::map<CallPlace, TimeSum> delays_by_algorithms(const Program& observed, const Expected& expected);

}  // namespace plumbline::replay
