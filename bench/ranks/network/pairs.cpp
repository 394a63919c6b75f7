// Round trips of many pairs, as many at once as have no rank in common, where each has its core: by their times, pairs
// are told apart.

#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/network/stations.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr std::string_view kModes[] = {"auto", "rounds", "sequential"};

constexpr FamilyParameter kPairsParameters[] = {
    {"pairs",
     "\"nodes\": the first rank of each node with that of each other, and a pair inside of each node; \"all\": all "
     "ranks; "
     "or which: \"0-1,2-3\"",
     "nodes", true},
    {"mode",
     "\"rounds\": as many at once as have no rank in common; \"sequential\": one after the other; \"auto\": in rounds, "
     "but where ranks share cores one after the other",
     "auto", true},
    {"partners", "so many of each, drawn at random; 0: 4 times the logarithm of their number, all of up to 20", "0"},
    {"seconds", "for one size in one round; of longer ones there are six repetitions", "1"},
    {"wait",
     "in layouts with loopback, so many seconds: both ranks are in MPI for so long before each message of the part "
     "\"waited\"",
     "2e-5"},
};

std::vector<Round> numbered(std::vector<Round> rounds, const std::vector<std::uint32_t>& stations) {
  for (Round& round : rounds)
    for (Pair& pair : round) pair = {stations[pair.a], stations[pair.b]};
  return rounds;
}

Round inside_of_nodes(const Places& places) {
  Round round;
  for (const std::vector<std::uint32_t>& ranks : ranks_of_nodes(places))
    if (ranks.size() > 1) round.push_back({ranks[0], ranks[1]});
  return round;
}

std::vector<Round> rounds_asked_for(const Request& request, const Places& places, std::uint64_t seed) {
  const std::string& which = word(request, "pairs");
  if (which != "nodes" && which != "all") return rounds_of(parse_pairs(which, places));
  const std::vector<std::uint32_t> stations = which == "all" ? all_ranks(places) : first_ranks(places);
  const auto number = static_cast<std::uint32_t>(stations.size());
  const auto asked = static_cast<std::uint32_t>(count(request, "partners"));
  std::vector<Round> rounds =
      numbered(some_rounds(number, asked > 0 ? asked : partners_by_default(number), seed), stations);
  if (const Round inside = inside_of_nodes(places); which == "nodes" && !inside.empty()) rounds.push_back(inside);
  return rounds;
}

const Pair* own_pair(const Round& round, std::uint32_t rank) {
  for (const Pair& pair : round)
    if (pair.a == rank || pair.b == rank) return &pair;
  return nullptr;
}

// What is measured of a pair at one size, and how the cell is told from others.
struct Part {
  std::string_view name;
  std::function<double(RankPair& pair_of_ranks, std::uint64_t bytes)> once;
};

// Through the loopback a message is there before its receiver has waited as it does for one from another node.
std::vector<Part> parts_of(const Context& context, const Request& request) {
  std::vector<Part> parts = {
      {"", [](RankPair& pair_of_ranks, std::uint64_t bytes) { return pair_of_ranks.round_trip(bytes); }}};
  const auto wait_ns = static_cast<std::int64_t>(number(request, "wait") * 1e9);
  if (context.loopback)
    parts.push_back({"waited", [wait_ns](RankPair& pair_of_ranks, std::uint64_t bytes) {
                       return pair_of_ranks.round_trip_waited_for(bytes, wait_ns);
                     }});
  return parts;
}

Cell cell_of_part(const Request& request, const Part& part, const Round& round, const Pair& pair, std::uint64_t size) {
  Cell cell = cell_of_pair(request, pair, size, part.name);
  cell.in_flight = static_cast<std::uint32_t>(round.size());
  cell.numbers["in_flight"] = cell.in_flight;
  return cell;
}

void measure_round(const Context& context, const Request& request, const Round& round) {
  const Pair* own = own_pair(round, static_cast<std::uint32_t>(rank_in(context.world)));
  const auto pair_of_ranks = rank_pair_in(context.world, own, largest_of(request));
  const Effort effort = within(request.effort, number(request, "seconds"));
  const std::vector<Part> parts = parts_of(context, request);
  Found found;
  for (const std::uint64_t size : sizes_of(request))
    for (const Part& part : parts) {
      must(MPI_Barrier(context.world));  // all pairs begin together
      if (!pair_of_ranks) continue;
      const Samples samples = repeat(*pair_of_ranks, effort, [&] { return Once{part.once(*pair_of_ranks, size), 0}; });
      if (!pair_of_ranks->leads()) continue;
      Cell cell = cell_of_part(request, part, round, *own, size);
      fill(cell, effort, samples.seconds, samples.reached);
      found.cells.push_back(std::move(cell));
    }
  give_all(context, found);
}

// Ranks that take turns on a core would wait for the messages of other pairs, those whose messages are fast the most.
bool is_sequential(const Context& context, const Request& request) {
  const std::string_view mode = kModes[choice(request, "mode", kModes)];
  return mode == "sequential" || (mode == "auto" && context.places.share_cores);
}

void measure_pairs(const Context& context, const Request& request) {
  const std::vector<Round> rounds = rounds_asked_for(request, context.places, context.seed);
  for (const Round& round : is_sequential(context, request) ? one_by_one(rounds) : rounds)
    measure_round(context, request, round);
}

}  // namespace

const Family kPairs = {"pairs",
                       "round trips of pairs of nodes, many at once",
                       "a message, and its answer",
                       kOnlyLibrary,
                       kPairsParameters,
                       2,
                       measure_pairs};

}  // namespace plumbline::bench::network
