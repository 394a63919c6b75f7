#pragma once
// Whether the machine was quiet while a run measured: whether others used it. That ranks share cores is no reason, for
// it is so in every run of a layout (bench/results/shared_cores.hpp). Rules and their sources:
// docs/models/contaminated.md.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

inline constexpr double kFarOut = 1000;       // longest repetition by the median of its cell
inline constexpr double kForeignLoad = 0.5;   // threads of others that run or could
inline constexpr double kStolenShare = 0.01;  // of the processor time

// The machine that the ranks were started from.
struct HostLoad {
  double own_before = 0;  // what of Run::load_before came from runs before it
  double run_queue = 0;   // mean while the ranks were there (run_queue.hpp)
  std::string boot = {};  // tells which ranks were on it, and so part of its run queue
};

// Why the run is contaminated, each as a phrase; empty: it is not.
std::vector<std::string> disturbances_of(const Run& run, std::span<const Cell> cells, const HostLoad& host);

// Whether such a phrase is of others who used the machine. The rest, that ranks lost their core, happens for moments on
// a machine that nobody else uses, too.
bool is_use_by_others(std::string_view disturbance);

// Load average of one minute that our ranks leave behind: it forgets 1/e in a minute, and each rank spins.
class OwnLoad {
 public:
  explicit OwnLoad(double left = 0) : load_(left) {}  // by what we did before
  void ran(double seconds, std::uint32_t ranks) { step(seconds, ranks); }
  void rested(double seconds) { step(seconds, 0); }
  double value() const { return load_; }

 private:
  void step(double seconds, double runnable);
  double load_;
};

}  // namespace plumbline::bench
