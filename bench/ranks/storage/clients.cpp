#include "bench/ranks/storage/clients.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.hpp"

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

std::string told_by_first(MPI_Comm comm, std::string text) {
  auto size = static_cast<std::uint64_t>(text.size());
  must(MPI_Bcast(&size, 1, MPI_UINT64_T, 0, comm));
  text.resize(size);
  must(MPI_Bcast(text.data(), static_cast<int>(size), MPI_CHAR, 0, comm));
  return text;
}

void together(MPI_Comm comm, const std::function<void()>& part) {
  std::optional<Error> failure;
  try {
    part();
  } catch (const Error& error) {
    failure = error;
  }
  const int none = size_of(comm);
  int first = failure ? rank_in(comm) : none;
  must(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm));
  if (first == none) return;
  std::string text[3];
  int code = 0;
  if (rank_in(comm) == first) {
    const Problem& problem = failure->problems().front();
    text[0] = problem.where, text[1] = problem.what, text[2] = problem.hint;
    code = static_cast<int>(failure->code());
  }
  must(MPI_Bcast(&code, 1, MPI_INT, first, comm));
  for (std::string& each : text) {
    auto size = static_cast<std::uint64_t>(each.size());
    must(MPI_Bcast(&size, 1, MPI_UINT64_T, first, comm));
    each.resize(size);
    must(MPI_Bcast(each.data(), static_cast<int>(size), MPI_CHAR, first, comm));
  }
  throw Error(text[0], text[1], text[2], static_cast<ExitCode>(code));
}

}  // namespace plumbline::bench
