#include "replay/mpi/engine.hpp"

#include <limits>

namespace plumbline::replay::mpi {
namespace {

constexpr double kMedian = 0.5;

BytesPerSecond memory_rate(const hw::Node& node) { return node.memory_rate.value; }

}  // namespace

Engine::Engine(const Program& program, const hw::Platform& platform, std::span<const std::uint32_t> node_of_rank,
               bool has_synchronous_sends, const Noise& noise, sim::EventQueue& queue, hw::NetworkOptions options,
               const hw::SamplingOptions& sampling)
    : costs(platform),
      port(platform, node_of_rank, noise, queue, options, sampling),
      synchronous_sends(has_synchronous_sends),
      nodes(node_of_rank),
      ranks(program.ranks()),
      memory_rates(platform.nodes, memory_rate) {
  first_request.reserve(program.ranks() + 1);
  first_request.push_back(0);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    first_request.push_back(first_request.back() + program.rank(rank).request_slots + 2);
  requests.reserve(first_request.back());
  // Most that are alive at once belong to a request; what is reserved takes no memory until it is used.
  messages.reserve(first_request.back());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ranks[rank].last_progress = {std::numeric_limits<std::int64_t>::min()};
    requests.resize(first_request[rank + 1], {.owner = rank});
  }
  if (costs.any_thread()) threads.resize(program.ranks(), {ranks.front().last_progress, {}});
}

Engine::Engine(const hw::Platform& platform, std::span<const std::uint32_t> node_of_rank, const Noise& noise,
               sim::EventQueue& queue)
    : costs(platform),
      port(platform, node_of_rank, noise, queue, {.holds = false}, {.share = kMedian}),
      synchronous_sends(false),
      nodes(node_of_rank),
      ranks(node_of_rank.size()),
      first_request(node_of_rank.size() + 1),
      memory_rates(platform.nodes, memory_rate) {
  for (RankState& rank : ranks) rank.last_progress = {std::numeric_limits<std::int64_t>::min()};
  if (costs.any_thread()) threads.resize(node_of_rank.size(), {ranks.front().last_progress, {}});
}

}  // namespace plumbline::replay::mpi
