#pragma once
// One clock for the ranks of a communicator: that of rank 0. Every other one knows how far its own is behind, as a
// straight line with a bound that holds whatever the delays of messages were (base/clock_fit.hpp).
//
// Ranks that read one clock (of one boot, in one time namespace) are a node; its lowest rank speaks for it. The others
// learn in a tree, from a rank that knows already, which answers by the shared clock: as many steps as the logarithm of
// the nodes (HCA3: Hunold, Carpen-Amarie, "Hierarchical Clock Synchronization in MPI", CLUSTER 2018). Exchanges are
// those of SKaMPI, repeated until the bound is what was asked for.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock_fit.hpp"
#include "bench/library/mpi_calls.hpp"

namespace plumbline::bench {

// Of the boot and the time namespace.
std::uint64_t name_of_clock();

// How a rank reads its own clock, in ns, and what that clock is: ranks of one name have one clock.
struct OwnClock {
  std::function<std::int64_t()> read = now_ns;
  std::uint64_t name = name_of_clock();
};

class SharedClock {
 public:
  // Collective, as everything is that says so; compares nothing yet. `limit_ns`: exchanges go on until the offset is
  // known to ± this, or no better. The communicator must outlive this.
  SharedClock(MPI_Comm comm, double limit_ns, OwnClock own = {});

  // Compares the clocks once more. Collective.
  void synchronise();

  std::int64_t shared(std::int64_t own) const { return own + line_.difference(own); }
  std::int64_t own(std::int64_t shared) const;
  std::int64_t now() const { return shared(own_.read()); }

  // No reading between the first and the last comparison is wrong by more, on any rank. Collective.
  double bound_ns() const;

 private:
  // shared - own; own times in ns. Lines of lines are lines.
  struct Line {
    std::int64_t origin = 0, offset = 0;
    double drift = 0, bound_ns = 0;

    std::int64_t difference(std::int64_t own) const;
  };
  // Of a rank that speaks for its node: whom it asks or answers, in turn.
  struct Step {
    int partner = 0;
    bool asks = false;
  };
  void plan(const std::vector<std::uint64_t>& names);
  void compare_with(int partner);
  void answer(int partner) const;
  void tell(int listener) const;
  Line told_by(int speaker) const;

  MPI_Comm comm_;
  double limit_ns_;
  OwnClock own_;
  int rank_ = 0, speaker_ = 0;  // who speaks for the node
  std::vector<int> listeners_;  // of the rank that speaks: the others of its node
  std::vector<Step> steps_;
  std::vector<clocks::Burst> bursts_;  // with the rank that it asks
  Line line_;
};

}  // namespace plumbline::bench
