#pragma once
// Where the ranks are, and what else a run's record says of them.

#include "bench/environment.hpp"
#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// Collective. Ranks of one boot and one host name are on one node: two nodes of the laboratory are name spaces of one
// boot.
Places find_places(MPI_Comm world);

// What a run's record says, known before anything is measured and behind it. Collective; complete on rank 0.
class RunFacts {
 public:
  RunFacts(MPI_Comm world, const Places& places);
  Run before() const { return run_; }
  Run after();

 private:
  MPI_Comm world_;
  Run run_;
  ProcessorTime time_;
  long switches_ = 0;
};

// Whether ranks share cores, on all ranks; `before` of rank 0 is looked at. Collective.
bool share_cores(MPI_Comm world, const Run& before);

// "0-1,4": the CPUs that this process may use.
std::string binding();

}  // namespace plumbline::bench
