#pragma once
// What is slower than it should be, by which reference, what that cost, and what to do about it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_sum.hpp"
#include "base/units.hpp"
#include "replay/compare/result/comparison.hpp"

namespace plumbline::replay {

// What a finding holds the observation against: what an ideal form of the call needs, what like ranks did, what the
// platform says, what another run did.
enum class Reference { kStructure, kPeers, kNominal, kBaseline };

// kCertain: counted from the recording. kHigh, kGood: shown by a test. kLow: by size alone, or outside the model.
enum class Confidence { kCertain, kHigh, kGood, kLow };

// Name of the evidence of writes that are limited by rate: over the time of the busiest rank.
inline constexpr std::string_view kRateWritten = "rate written";

// Name of the evidence of collective accesses through few aggregators: as many as the ideal form has.
inline constexpr std::string_view kIdealAggregators = "aggregators of the ideal form";

struct Evidence {
  std::string name;  // "posix_operations"
  double value = 0;
  std::string unit;  // "1", "s", "B", "B/s"
};

struct Finding {
  Reference reference = Reference::kNominal;
  std::string component;       // "transport between nodes", "storage /scratch", "rank 3", "MPI-IO hints"
  std::string title;           // what happened, in one sentence; what it cost is below
  TimeSum cost;                // the loss of `cost_is_of`: what following the advice saves it
  bool cost_is_bound = false;  // it costs at most that
  TimeSum cost_on_device;      // more than `cost` where it may be that much, if data was on the device; else 0
  double share = 0;            // cost over the length of the run
  double share_of_excess = 0;  // the loss on all ranks over what all operations above their bracket lost; at most 1
  Confidence confidence = Confidence::kLow;
  std::string basis;  // what the confidence and the cost stand on
  std::vector<Evidence> evidence;
  std::string call, site;  // of the costliest row; may be empty
  std::uint64_t operations = 0;
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> advice;
  std::string cost_is_of = "the busiest rank";  // the largest loss on any one rank, where nothing else is said
  std::string withheld;                         // why it is not stated as a finding; empty when it is
  std::vector<std::uint32_t> rows = {};         // what it is about: indices into the comparison's rows, ascending
  std::vector<Instance> instances = {};         // the worst of its operations, by own excess (instances.hpp)
};

std::string_view word(Reference reference);
std::string_view word(Confidence confidence);

}  // namespace plumbline::replay
