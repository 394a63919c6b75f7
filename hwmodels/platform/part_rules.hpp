#pragma once
// What must hold between the numbers of one part of a platform, whether they come from a file or were set by hand.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

struct PartFault {
  std::string what, hint;  // "has less memory than its granularity", "give it memory for one access at least"
};

std::vector<PartFault> faults_of(const Noise& noise);
std::vector<PartFault> faults_of(const Sockets& sockets, std::uint32_t cores);
std::vector<PartFault> faults_of(const ServerCache& cache);
std::vector<PartFault> faults_of(const Server& server, Bytes packet);
std::vector<PartFault> faults_of(const Distribution& distribution);

// Of servers that a local file system has: one for each node. `nodes`: of those servers whose node is there.
std::vector<PartFault> faults_of_local(std::vector<std::uint32_t> nodes, std::span<const Node> all_nodes);

}  // namespace plumbline::hw
