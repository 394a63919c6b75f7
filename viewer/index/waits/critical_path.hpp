#pragma once
// The critical path of a run: the chain of operations and computations, from its begin to its end, in which nothing
// waits for anything else. It is walked from the last end backwards; where an operation waited for another rank's, it
// goes on there (Schmitt, Dietrich and Juckeland, ParaPhrase 2017, and Boehme et al., IPDPS 2012, walk likewise).

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"
#include "viewer/index/waits/waits.hpp"

namespace plumbline::viewer {

struct PathPiece {
  std::uint32_t rank = 0;
  Time begin, end;
  std::uint32_t operation = replay::kNone;  // kNone: between operations, or several pieces in one
  std::uint32_t joined = 1;                 // so many pieces
};

struct PathTime {
  std::string call;  // "compute" between operations
  Duration time;
};

struct CriticalPath {
  // In order of time; each begins where the one before it ends, and together they are as long as the run. A joined
  // piece has the rank of the longest of what it is made of.
  std::vector<PathPiece> pieces;
  std::vector<PathTime> by_call;  // longest first; of all pieces, before the shortest were joined
};

// `which` kFree: of the run that was compared with. At most `most` >= 3 pieces.
CriticalPath critical_path_of(const Runs& runs, const Matches& matches, TimesOf which, std::size_t most);

}  // namespace plumbline::viewer
