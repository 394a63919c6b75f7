#pragma once
// The runs of the replay that make one expectation, joined into columns.

#include <vector>

#include "hwmodels/platform.hpp"
#include "replay/expected/columns.hpp"
#include "replay/program/program.hpp"
#include "replay/replay.hpp"

namespace plumbline::cli {

struct ExpectOptions {
  double compute = 1.0;  // factor on recorded compute time, in the free replay
};

struct Expectation {
  replay::Expected columns;
  replay::ReplayResult free, anchored;  // statistics; their times have moved into the columns
  std::uint32_t runs = 0;
  std::vector<replay::InnerFault>
      inner_faults;  // what has no as-run expectation although messages inside were recorded
};

// Anchored and free; anchored again with every buffered access on the device where the program does I/O; anchored with
// what was recorded inside of calls where something was. The reasons of operations that are not judged are filled in.
Expectation expect(const replay::Program& program, const hw::Platform& platform, const ExpectOptions& options);

// Relative spread that the platform states for what this operation uses: the largest of its parameters.
double spread_of(const hw::Platform& platform, const replay::Operation& operation);

}  // namespace plumbline::cli
