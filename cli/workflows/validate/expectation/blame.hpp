#pragma once
// Which components a run lost its time by. A regression of what operations lost on what they used of each component
// picks a suspect; how slow it is, is fitted by anchored replays; a free replay tells how much of the loss it explains.
// With it in the platform the same is done again, so that several faults are found beside each other.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/workflows/validate/expectation/exposure.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/expect/columns/columns.hpp"
#include "replay/program/program.hpp"

namespace plumbline::cli::validate {

struct Blamed {
  Exposed exposed;
  std::string component;            // "link n3-s0"
  std::vector<std::string> one_of;  // components that explain as much, and cannot be told from it by this run
  double expected = 0, fitted = 0;  // B/s of a rate; seconds of a latency
  bool is_measured = true;          // what is expected was; else the platform only assumes it, or bounds it
  double explained_s = 0;           // of the length of the run
  std::uint64_t rows = 0;           // of the regression that used it
};

struct Blame {
  std::vector<Blamed> blamed;  // in the order in which they were found to explain most
  double lost_s = 0;           // observed length less that of the free replay
  double remainder_s = 0;      // of it, that nobody explains
  std::uint32_t replays = 0;
};

struct BlameOptions {
  std::uint32_t most_replays = 40;
  double threshold = 0.01;  // of the observed length: what explains less is left out
  double slowness = 0.1;    // of what is expected, by which a component is slower at least: models are off by as much
};

Blame blame(const replay::Program& program, const replay::Expected& expected, const hw::Platform& platform,
            const BlameOptions& options = {});

}  // namespace plumbline::cli::validate
