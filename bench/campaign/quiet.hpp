#pragma once
// Whether the machine was quiet while a run measured. Rules and their sources: docs/measuring.md, "Contaminated".

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

inline constexpr double kFarOut = 1000;       // longest repetition by the median of its cell
inline constexpr double kForeignLoad = 0.5;   // load average of others before the run
inline constexpr double kStolenShare = 0.01;  // of the processor time

// Why the run is contaminated, each as a phrase; empty: it is not. `own_load`: what of the load average before it came
// from runs before it.
std::vector<std::string> disturbances_of(const Run& run, std::span<const Cell> cells, double own_load);

// Load average of one minute that our ranks leave behind: it forgets 1/e in a minute, and each rank spins.
class OwnLoad {
 public:
  void ran(double seconds, std::uint32_t ranks) { step(seconds, ranks); }
  void rested(double seconds) { step(seconds, 0); }
  double value() const { return load_; }

 private:
  void step(double seconds, double runnable);
  double load_ = 0;
};

// CPUs of "0-1,4"; 0 where it is no such list.
std::uint32_t cpus_in(const std::string& list, std::vector<bool>& into);

}  // namespace plumbline::bench
