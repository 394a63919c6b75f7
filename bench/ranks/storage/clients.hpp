#pragma once
// Which ranks use storage at a time, and what happens when one of them cannot.

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {

// Ranks in the order in which they become clients: one of each node in turn, rank 0 first, so that few clients are on
// many nodes.
std::vector<std::uint32_t> client_order(const Places& places);

// 1, 2, 4 ... and all.
std::vector<std::uint32_t> client_counts(std::uint32_t all);

// Those of MPI_COMM_WORLD that are clients. Collective over `world`.
class ClientGroup {
 public:
  ClientGroup(MPI_Comm world, std::vector<std::uint32_t> ranks);
  ~ClientGroup();
  ClientGroup(const ClientGroup&) = delete;
  ClientGroup& operator=(const ClientGroup&) = delete;

  bool has_me() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm comm() const { return comm_; }  // its ranks are in the order of ranks()
  const std::vector<std::uint32_t>& ranks() const { return ranks_; }

 private:
  std::vector<std::uint32_t> ranks_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// Runs `part`, which calls nothing collective over `comm` itself; where it threw an Error on one rank, all ranks throw
// that of the lowest. Collective.
void all_or_none(MPI_Comm comm, const std::function<void()>& part);

}  // namespace plumbline::bench
