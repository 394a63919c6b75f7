#include "bench/ranks/network/cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "bench/ranks/network/sizes.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

std::optional<Pair> first_pair(const Places& places, bool of_one_node) {
  const auto ranks = static_cast<std::uint32_t>(places.node_of.size());
  for (std::uint32_t a = 0; a < ranks; ++a)
    for (std::uint32_t b = a + 1; b < ranks; ++b)
      if ((places.node_of[a] == places.node_of[b]) == of_one_node) return Pair{a, b};
  return std::nullopt;
}

}  // namespace

std::vector<Pair> pairs_asked_for(const Request& request, const Places& places) {
  const double a = number(request, "a"), b = number(request, "b");
  std::vector<Pair> pairs;
  if (a == -1 && b == -1) {
    for (const bool of_one_node : {false, true})
      if (const auto pair = first_pair(places, of_one_node)) pairs.push_back(*pair);
    return pairs;
  }
  const std::uint64_t one = count(request, "a"), other = count(request, "b");
  if (one == other || std::max(one, other) >= places.node_of.size())
    throw Error(request.operation,
                fmt::format("ranks {} and {} are no pair of {} ranks", one, other, places.node_of.size()),
                "give two of them as 'a' and 'b', or neither");
  return {{static_cast<std::uint32_t>(one), static_cast<std::uint32_t>(other)}};
}

void give_all(const Context& context, const Found& own) {
  std::string notes;
  for (const std::string& note : own.notes) notes += note + '\n';
  for (const std::string& of_rank : gather_texts(context.world, notes))
    for (std::size_t begin = 0, end = 0; (end = of_rank.find('\n', begin)) != std::string::npos; begin = end + 1)
      context.note(of_rank.substr(begin, end - begin));
  give_of_all(context, own.cells);
}

std::unique_ptr<RankPair> rank_pair_in(MPI_Comm comm, const Pair* own, std::uint64_t largest) {
  return together(comm, [&] { return own != nullptr ? std::make_unique<RankPair>(comm, *own, largest) : nullptr; });
}

namespace {

// Collective.
void expect_trips(const Context& context, RankPair* pair_of_ranks, std::uint64_t bytes, double trips) {
  double longest = pair_of_ranks == nullptr ? 0 : typical_trip(*pair_of_ranks, bytes);
  must(MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, context.world));
  if (context.expect) context.expect(trips * longest);
}

}  // namespace

void measure_pairs(const Context& context, const std::vector<Pair>& pairs, std::uint64_t largest,
                   const MeasurePair& measure, double trips) {
  const auto own = static_cast<std::uint32_t>(rank_in(context.world));
  for (const Pair& pair : pairs) {
    const auto pair_of_ranks = rank_pair_in(context.world, own == pair.a || own == pair.b ? &pair : nullptr, largest);
    expect_trips(context, pair_of_ranks.get(), largest, trips);
    Found found;
    if (pair_of_ranks) measure(*pair_of_ranks, pair, found);
    give_all(context, pair_of_ranks && pair_of_ranks->leads() ? found : Found{});
  }
}

Cell cell_of_pair(const Request& request, const Pair& pair, std::uint64_t bytes, std::string_view part) {
  Cell cell;
  cell.operation = request.operation;
  cell.implementation = request.implementation;
  cell.bytes = bytes;
  cell.ranks = {pair.a, pair.b};
  if (!part.empty()) cell.words["part"] = part;
  return cell;
}

void fill(Cell& cell, const Effort& effort, const std::vector<double>& seconds, bool reached) {
  cell.timing = cell.isolation = "own";
  cell.stop = effort.stop;
  cell.reached = reached;
  cell.seconds = seconds;
  cell.flags.assign(seconds.size(), 0);
}

std::vector<std::uint64_t> sizes_of(const Request& request) {
  if (!request.adaptive) return request.sizes;
  return doubling_sizes(request.sizes.front(), request.sizes.back());
}

std::uint64_t largest_of(const Request& request) {
  return *std::max_element(request.sizes.begin(), request.sizes.end());
}

Effort within(Effort effort, double seconds) {
  effort.budget_s = effort.budget_s > 0 ? std::min(effort.budget_s, seconds) : seconds;
  return effort;
}

Effort counted(Effort effort, std::uint32_t repetitions) {
  effort.stop = "count";
  effort.least = effort.most = repetitions;
  effort.warm_up = 1;
  effort.budget_s = 0;
  return effort;
}

}  // namespace plumbline::bench::network
