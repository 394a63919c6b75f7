// What a message is on the wire beside its bytes, as the kernel counts frames and bytes of the interface that it leaves
// by. docs/models/measuring-network.md.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bench/ranks/environment/interfaces.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kFramesParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"trips", "round trips of a block; of five blocks the one with the fewest bytes counts", "200"},
};

constexpr int kBlocks = 5;             // other programs send in some of them
constexpr int kWarmUp = 10;            // round trips
constexpr std::uint64_t kBulk = 4096;  // bytes of the messages that are only acknowledged
constexpr std::uint32_t kBulks = 200, kFewestAcknowledgements = 20;
constexpr char kLoopbackInterface[] = "lo";

struct Counted {
  std::string interface;
  Sent sent;
};

// What was sent meanwhile by the interface that sent most: where one stands for others (a bond), it has it all.
Counted sent_since(const std::map<std::string, Sent>& before) {
  Counted most;
  for (const auto& [name, now] : sent_by_now()) {
    const auto then = before.find(name);
    if (name == kLoopbackInterface || then == before.end()) continue;
    const Sent sent{now.bytes - then->second.bytes, now.frames - then->second.frames};
    if (sent.bytes > most.sent.bytes) most = {name, sent};
  }
  return most;
}

struct FrameTrips {
  Counted counted;  // of the leader
  std::vector<double> seconds;
};

FrameTrips block_of(RankPair& pair_of_ranks, std::uint64_t bytes, std::uint64_t trips) {
  for (int i = 0; i < kWarmUp; ++i) pair_of_ranks.round_trip(bytes);
  const auto before = sent_by_now();
  FrameTrips block;
  for (std::uint64_t i = 0; i < trips; ++i) block.seconds.push_back(pair_of_ranks.round_trip(bytes));
  block.counted = sent_since(before);
  return block;
}

// Each message is a frame at least: where fewer were counted, the interface is not the kernel's, or counts late.
std::optional<FrameTrips> quietest_block(RankPair& pair_of_ranks, std::uint64_t bytes, std::uint64_t trips) {
  std::optional<FrameTrips> quietest;
  for (int i = 0; i < kBlocks; ++i) {
    FrameTrips block = block_of(pair_of_ranks, bytes, trips);
    if (block.counted.sent.frames < trips) continue;
    if (!quietest || block.counted.sent.bytes < quietest->counted.sent.bytes) quietest = std::move(block);
  }
  return quietest;
}

// Bytes of a frame that only acknowledges: what a rank sends that only receives. 0: there are too few to tell.
double acknowledgement_bytes(RankPair& pair_of_ranks) {
  const auto before = sent_by_now();
  for (std::uint32_t i = 0; i < kBulks; ++i) {
    if (pair_of_ranks.leads())
      pair_of_ranks.send(kBulk);
    else
      pair_of_ranks.receive(kBulk);
  }
  const Sent own = sent_since(before).sent;
  const auto [bytes, frames] = pair_of_ranks.reported(std::array<std::uint64_t, 2>{own.bytes, own.frames});
  return frames < kFewestAcknowledgements ? 0 : static_cast<double>(bytes) / static_cast<double>(frames);
}

void measure_frames_of_pair(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Found& found) {
  const std::uint64_t trips = std::max<std::uint64_t>(count(request, "trips"), 1);
  const double acknowledgement = acknowledgement_bytes(pair_of_ranks);
  for (const std::uint64_t size : sizes_of(request)) {
    const std::optional<FrameTrips> block = quietest_block(pair_of_ranks, size, trips);
    if (!pair_of_ranks.leads()) continue;
    if (!block) {
      found.notes.push_back(fmt::format(
          "frames of ranks {} and {}: the kernel counted fewer than there were messages: they pass it by, or its "
          "interfaces count late",
          pair.a, pair.b));
      return;
    }
    const auto& [interface, sent] = block->counted;
    Cell cell = cell_of_pair(request, pair, size, "");
    cell.words["interface"] = interface;
    // A frame more or less of somebody else tells no run from another.
    cell.numbers["wire_bytes"] = std::round(static_cast<double>(sent.bytes) / static_cast<double>(trips));
    cell.numbers["wire_frames"] =
        std::round(100. * static_cast<double>(sent.frames) / static_cast<double>(trips)) / 100;
    cell.numbers["acknowledgement_bytes"] = std::round(acknowledgement);
    cell.numbers["ethernet"] = is_ethernet(interface) ? 1 : 0;
    fill(cell, counted(request.effort, static_cast<std::uint32_t>(trips)), block->seconds, false);
    found.cells.push_back(std::move(cell));
  }
}

// Inside of a node there are no frames.
void measure_frames(const Context& context, const Request& request) {
  std::vector<Pair> pairs = pairs_asked_for(request, context.places);
  const auto& node_of = context.places.node_of;
  std::erase_if(pairs, [&](const Pair& pair) { return node_of[pair.a] == node_of[pair.b]; });
  measure_pairs(context, pairs, std::max(largest_of(request), kBulk),
                [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
                  measure_frames_of_pair(request, pair_of_ranks, pair, found);
                });
}

}  // namespace

const Family kFrames = {"frames",
                        "what a message between nodes is on the wire beside its bytes, as the kernel counts it",
                        "a message, and its answer",
                        kOnlyLibrary,
                        kFramesParameters,
                        2,
                        measure_frames};

}  // namespace plumbline::bench::network
