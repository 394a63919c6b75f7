#pragma once
// What a campaign says about the network: its cells as one figure for each experiment, with the ranks put on nodes.
// docs/models/calibration-campaign.md.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::hw::calibration {

// Where a rank is. Ranks of another run on the same node, with the same number there, are at the same place.
struct Place {
  std::uint32_t node = 0;  // index in Observations::nodes
  std::uint32_t slot = 0;  // number among the ranks of its node
  // As its operating system numbers it. Of experiments inside of one node only: between nodes a rank is at the same
  // place whatever it was bound to.
  std::uint32_t socket = bench::kNoSocket;

  auto operator<=>(const Place&) const = default;
};

inline bool on_two_sockets(const Place& a, const Place& b) {
  const bool known = a.socket != bench::kNoSocket && b.socket != bench::kNoSocket;
  return a.node == b.node && known && a.socket != b.socket;
}

// All times in ns.
struct Figure {
  double value = 0;               // the median over runs of the median of each run
  double spread = 0;              // relative half-width of its 95 % interval; of one run: of the repetitions' median
  std::vector<double> runs = {};  // medians of the runs: the units of sampling
  std::uint32_t repetitions = 0;  // of all runs, flagged ones left out
  std::uint32_t messages = 0;     // of a train or a stream; 0: one
  double wait = 0;                // the delay, lateness or computation that was asked for; median over the runs
};

// What was measured, whichever run did it. Waits are not part of it: each run may choose its own.
struct Experiment {
  std::string operation, part;
  std::vector<Place> places;  // of the cell's ranks, in its order
  std::vector<Place> others;  // of the pair that streams meanwhile; else empty
  std::uint64_t bytes = 0;
  std::uint32_t in_flight = 1;
  std::uint32_t round = 0;  // of "all": streams of one number were under way together

  auto operator<=>(const Experiment&) const = default;
};

struct SeenNode {
  std::string name;
  std::uint32_t most_ranks = 0;             // of any run
  std::uint32_t cpus = 0;                   // that its ranks were bound to, in all runs together; 0: not known
  std::vector<std::uint32_t> sockets = {};  // that its ranks were bound to, ascending; empty: not known

  bool operator==(const SeenNode&) const = default;
};

// A change of protocol that a run placed by comparing sizes in turn.
struct SeenChange {
  std::vector<Place> places;  // of the pair
  std::uint32_t run = 0;
  std::uint64_t low = 0, high = 0;  // sizes, the last before it and the first behind it

  bool operator==(const SeenChange&) const = default;
};

struct Observations {
  std::vector<SeenNode> nodes;  // as the runs name them first
  // Waits are taken out of trains: of `spaced` and `receives` a figure is what is left. Of streams it is the time of a
  // message, for each run may send another number of them.
  std::map<Experiment, Figure> figures;
  std::uint32_t runs = 0;                 // that count
  std::vector<std::string> notes;         // what was left out
  std::vector<std::string> disturbances;  // of runs that count nevertheless
  std::string mark = {};                  // of sources (runs.hpp)
  // Of ranks of one node that were kept from shared memory: no pair of ranks that a program has is like them.
  std::map<Experiment, Figure> loopback = {};
  std::vector<SeenChange> changes = {};  // of others
  std::vector<double> headers = {};      // bytes beside those of a message in its frame: one a pair and run
};

// Families that this page of the campaign is made of: prtt, pairs, streams, protocol, progress, overheads, order,
// queue, frames. Of a campaign of storage alone there are no figures. Throws Error (too noisy) when no run has a cell
// of them, nor of storage.
Observations observe(const bench::Campaign& campaign);

}  // namespace plumbline::hw::calibration
