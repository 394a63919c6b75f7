#pragma once
// Whether ranks of a run shared cores: a property of how they were placed, and not of what else the machine did.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// One boot of one machine, whatever its hosts are called: nodes of a laboratory are name spaces of one.
struct RunMachine {
  std::vector<std::uint32_t> ranks = {};
  std::vector<std::string> hosts = {};  // each once, in the order of ranks
  std::uint32_t cpus = 0;               // that its ranks may use, all together; 0: not known

  bool shares_cores() const { return cpus > 0 && ranks.size() > cpus; }
};

// By their first ranks. Of a run that does not tell boots each node is a machine.
std::vector<RunMachine> machines_of(const Run& run);

// "8 ranks share 2 cores of one machine (n0, n1, n2 and 5 more)", of the first machine that does; empty: none does.
std::string sharing_of(const Run& run);

// CPUs of "0-1,4"; 0 where it is no such list.
std::uint32_t cpus_in(const std::string& list, std::vector<bool>& into);

}  // namespace plumbline::bench
