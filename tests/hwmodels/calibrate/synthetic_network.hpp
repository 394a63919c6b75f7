#pragma once
// A machine whose truth is known, measured by the experiments of a campaign: our own network carries the messages, and
// noise is added. What calibration finds is held against the truth.

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/results/campaign.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Nodes "n0" .. behind switches "s0" .. of so many nodes each; two switches are joined by a cable, more by "core".
struct Tree {
  std::vector<std::uint32_t> groups = {4};
  BytesPerSecond link{12'500'000}, uplink{25'000'000};
  Duration link_latency = microseconds(25), uplink_latency = microseconds(40);
  Bytes packet{9000};
  Bytes eager{65'536};  // largest message that is sent without waiting
};
Platform platform_of(const Tree& tree);

// The edge of a node, or the first one of this name.
Edge& edge_of(Platform& platform, const std::string& name);

// Relative standard deviations: of each pair of ranks, for good; of each run of each cell; of repetitions, upward only.
struct Noise {
  double pairs = 0, runs = 0, repetitions = 0;
  std::uint64_t seed = 1;
};

struct Effort {
  std::uint32_t runs = 3, repetitions = 5;
  std::uint32_t contentions = 60;  // streams against another, drawn by the seed
  bool across = true, loaded = true;
  bool trains = true;     // PRTT of dense sizes, of the first pair
  bool loopback = false;  // runs more of two ranks of node 0 that share no memory
  // As `streams` has them of many nodes: alone only from each node to the next, both directions in that ring; and
  // loaded rounds of pairs, each in one direction, beside the others. Of an even number of nodes.
  bool rings = false;
};

// A cell without times. `part`: "" where the family has none.
bench::Cell cell_of(const char* operation, const char* part, std::uint64_t bytes, std::vector<std::uint32_t> ranks,
                    std::map<std::string, double> numbers = {});

// One rank on each node, or `per_node`.
class SyntheticMeasurer {
 public:
  SyntheticMeasurer(Platform truth, const Noise& noise, std::uint32_t per_node = 1);

  // A slow direction of a cable: streams over it in this direction take so many times as long. What an edge, which has
  // one rate for both, cannot say.
  void slow_down(std::uint32_t from_node, bool out, double times);
  void slow_pair(std::uint32_t a, std::uint32_t b, double times);

  bench::Campaign campaign(const Effort& effort = {});

  // The model's one-way time of a message between two nodes, nobody else being there.
  double one_way_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;

  // The same between two ranks of a node that share no memory: all of it but the way.
  double loopback_ns(std::uint64_t bytes) const;

  // How long before its data has arrived the sender is free.
  double rest_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;

 private:
  struct Stream {
    std::uint32_t from = 0, to = 0;  // nodes
  };
  using Words = std::map<std::string, std::string>;
  using Numbers = std::map<std::string, double>;

  const Transport& transport(std::uint32_t a, std::uint32_t b) const;
  double send_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;
  double receive_ns(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;
  bool waits(std::uint32_t a, std::uint32_t b, std::uint64_t bytes) const;
  double handshake_ns(std::uint32_t a, std::uint32_t b) const;
  std::vector<double> stream_ns(const std::vector<Stream>& streams, std::uint32_t messages, std::uint64_t bytes) const;
  double slowness(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t group_of(std::uint32_t node) const;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> examples() const;

  void give(bench::Cell cell, double ns, const Effort& effort);
  void give_runs(bench::Cell cell, double ns, const Effort& effort, std::uint32_t first_run = 0);  // ranks are ranks
  void measure_trips(const Effort& effort);
  void measure_trains(std::uint32_t a, std::uint32_t b, const Effort& effort);
  void measure_calls(const Effort& effort);
  void measure_streams(const Effort& effort);
  void give_stream(const char* part, const std::vector<Stream>& streams, const Effort& effort);
  static std::vector<Stream> shifted(std::uint32_t nodes, std::uint32_t shift);
  static std::vector<Stream> pairs_one_way(std::uint32_t nodes, std::uint32_t round);
  void give_round(const char* part, const std::vector<Stream>& streams, std::uint32_t round, const Effort& effort);
  void measure_contention(const Effort& effort);
  void measure_across(const Effort& effort);
  void measure_progress(const Effort& effort);
  void measure_inside(const Effort& effort);
  void measure_loopback(const Effort& effort);
  void measure_rests(const Effort& effort);

  Platform truth_;
  Noise noise_;
  std::uint32_t per_node_;
  std::mt19937_64 random_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pair_factors_;
  std::map<std::pair<std::uint32_t, bool>, double> slow_sides_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> slow_pairs_;
  bench::Campaign campaign_;
};

}  // namespace plumbline::hw::calibration
