#pragma once
// The runs of the replay that make one expectation, joined into columns.

#include <filesystem>
#include <string>
#include <vector>

#include "base/memory/scratch.hpp"
#include "base/team/task.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::expect {

struct ExpectOptions {
  double compute = 1.0;  // factor on recorded compute time, in the free replay
  replay::Choices choices{};
  Team team{};                        // of the replays
  std::uint64_t seed = 1;             // of the phases of noise
  std::size_t device_operations = 0;  // as in replay::ReplayOptions, of the free replay
  Scratch scratch = {};               // where columns and times lie
};

struct Expectation {
  replay::Expected columns;
  replay::ReplayResult free, anchored;  // statistics, without their times
  std::uint32_t runs = 0;
  std::vector<replay::InnerFault>
      inner_faults;  // what has no as-run expectation although messages inside were recorded
  std::vector<replay::CollectiveUse> collectives, configured_collectives;  // ideally, and as configured
  std::vector<replay::IoRemark> io_remarks;                                // as configured
};

inline constexpr std::size_t kMostReplays = 9;  // of one expectation

// Anchored and free, in the ideal form; anchored as configured where that can differ from it; anchored as-run where
// something was recorded inside of calls. Each anchored one again with every buffered access on the device where the
// program does I/O. The reasons of operations that are not judged are filled in.
Expectation expectation_of(const replay::Program& program, const hw::Platform& platform, const ExpectOptions& options);

// "cluster.xml (Open MPI 4.1.4)": the file, and whose MPI it describes; as an Expected names its platform.
std::string platform_name(const std::filesystem::path& file, const hw::Platform& platform);

}  // namespace plumbline::replay::expect
