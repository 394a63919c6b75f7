#pragma once
// Recordings and expectations as random as a viewer may meet them.

#include <cstdint>
#include <random>
#include <string>

#include "tests/support/temporary_directory.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

struct RandomShape {
  std::uint32_t ranks = 3, operations = 600;  // of a rank, at most
  int time_bits = 40;                         // no time is beyond 2^time_bits ps
  bool is_compared = true;
  bool free_in_order = true;  // else free times of any order, overlapping, some ending before they begin
};

// Long and short operations, of no length, back to back, equal begins, gaps; not judged, polls, withheld and in
// findings. The rank with the highest number may have no operations.
Runs random_runs(const std::filesystem::path& file, const RandomShape& shape, std::mt19937_64& random);

// Prints the seed, which PLUMBLINE_SEED repeats.
std::mt19937_64 printed_random();

}  // namespace plumbline::viewer
