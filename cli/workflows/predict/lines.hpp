#pragma once
// Where the time of a predicted run goes, by the directives of the model.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/time_sum.hpp"
#include "cli/workflows/predict/prepare.hpp"
#include "replay/engine/replay.hpp"

namespace plumbline::cli::predict {

struct LineTimes {
  std::string call;                      // "MPI_Send", "Serial"
  std::uint64_t count = 0;               // of all processes, in one run
  TimeSum computing, transfer, waiting;  // of all processes and all runs
  TimeSum imbalance;                     // of computing: were it spread evenly, so much less a process and run
};

struct Lines {
  std::map<replay::model::Place, LineTimes> by_place;
  TimeSum length;     // of runs
  TimeSum idle;       // of all processes: between their end and that of the last
  TimeSum imbalance;  // of all that a process computes, as that of a line
  std::uint32_t ranks = 1, runs = 0;

  // A process and run, on average.
  Duration mean(TimeSum sum) const { return sum.mean(std::uint64_t{ranks} * runs); }
  double mean_count(const LineTimes& line) const { return static_cast<double>(line.count) / ranks; }
};

// Of one replay, whose times were kept. What grows with the operations lies in `scratch`.
Lines lines_of(const Prepared& prepared, const hw::Platform& platform, const replay::ReplayResult& result,
               const Scratch& scratch);

// More runs of the same program, which do the same: counts are those of the first.
void add(const Lines& runs, Lines& to);

template <class Io>
void fields(Io& io, LineTimes& line) {
  io(line.call, line.count, line.computing, line.transfer, line.waiting, line.imbalance);
}

template <class Io>
void fields(Io& io, Lines& lines) {
  io(lines.by_place, lines.length, lines.idle, lines.imbalance, lines.ranks, lines.runs);
}

}  // namespace plumbline::cli::predict
