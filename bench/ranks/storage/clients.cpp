#include "bench/ranks/storage/clients.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"

namespace plumbline::bench {

std::vector<std::uint32_t> client_order(const Places& places) {
  std::vector<std::uint32_t> on_node(places.hosts.size(), 0);
  std::vector<std::tuple<std::uint32_t, std::uint32_t>> turns;  // of its node, rank
  for (std::uint32_t rank = 0; rank < places.node_of.size(); ++rank)
    turns.emplace_back(on_node.at(places.node_of[rank])++, rank);
  std::sort(turns.begin(), turns.end());
  std::vector<std::uint32_t> order;
  for (const auto& [turn, rank] : turns) order.push_back(rank);
  return order;
}

std::vector<std::uint32_t> client_counts(std::uint32_t all) {
  std::vector<std::uint32_t> counts;
  for (std::uint32_t count = 1; count < all; count *= 2) counts.push_back(count);
  counts.push_back(all);
  return counts;
}

ClientGroup::ClientGroup(MPI_Comm world, std::vector<std::uint32_t> ranks) : ranks_(std::move(ranks)) {
  const auto mine = std::find(ranks_.begin(), ranks_.end(), static_cast<std::uint32_t>(rank_in(world)));
  const bool is_client = mine != ranks_.end();
  must(MPI_Comm_split(world, is_client ? 0 : MPI_UNDEFINED, static_cast<int>(mine - ranks_.begin()), &comm_));
}

ClientGroup::~ClientGroup() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

void all_or_none(MPI_Comm comm, const std::function<void()>& part) {
  std::string fault;
  try {
    part();
  } catch (const Error& error) {
    fault = error.what();
  }
  fault = first_fault(comm, fault);
  if (!fault.empty()) throw Error("", fault, "", ExitCode::kCannotRunHere);
}

}  // namespace plumbline::bench
