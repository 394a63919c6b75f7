#pragma once
// Streams of messages -> rates, alone and beside others. docs/models/calibration-campaign.md.

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hwmodels/calibrate/observations/curves.hpp"
#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/calibrate/structure/switch_groups.hpp"

namespace plumbline::hw::calibration {

// One stream, in B/s.
struct StreamRate {
  Place from, to;
  std::uint64_t bytes = 0;  // of a message
  double rate = 0, spread = 0;
  std::vector<double> runs;
};

// s / (t - F/n), where each of n messages of s bytes took t. F is what passes before the first byte has come and until
// the sender knows of the last: of what one message alone takes, T(s), what is left without the time of its bytes, and
// an empty message back. The time of a byte is the median over all streams of (n·t - T(s) - T(0)) / ((n - 1)·s).
// Between nodes T is that of all pairs together, so that of a slow cable nothing is taken twice; pairs in a socket,
// across sockets and between nodes are not mixed. F is 0 where T was not measured at sizes up to s.
class Streams {
 public:
  Streams(const Observations& observations, const std::map<PlacePair, Curve>& one_way);

  // Of each pair and direction that was alone, at its largest size.
  const std::vector<StreamRate>& alone() const { return alone_; }

  // Of each pair and direction, beside streams of all other nodes; none where that was not measured.
  const std::vector<StreamRate>& loaded() const { return loaded_; }

  // Alone, and beside others in rounds in which neither end streamed in the other direction, too.
  std::vector<StreamRate> one_direction() const;
  // Of rounds in which both ends did.
  std::vector<StreamRate> both_directions() const;

  // Of streams between nodes that were under way together: "against" over alone, and those of "all" over the most that
  // both their ends were seen to need.
  Contentions contentions() const;

  // How much longer a pair's stream took while the other direction streamed, at each size; medians over pairs between
  // nodes.
  std::map<std::uint64_t, double> both_ways() const;

  // The same of each pair, at its smallest size (large messages wait for each other's protocol too), in each run.
  std::map<PlacePair, std::vector<double>> both_ways_of_pairs() const;

  // Of all streams that ran at once, at the largest size: what they carried together.
  struct Together {
    std::vector<Flow> flows;
    double rate = 0, spread = 0;
    double alone = 0;  // what each of them carries alone, added up; 0: not known
  };
  std::vector<Together> together() const;

  // Of a figure of streams of which this is one.
  StreamRate rate_of(const Place& from, const Place& to, std::uint64_t bytes, const Figure& figure) const;

 private:
  std::vector<StreamRate> loaded_with(int ends_of_both) const;
  void add_against(Contentions& into) const;
  void add_loaded(Contentions& into) const;
  double fill(std::size_t way, std::uint64_t bytes) const;
  double fill_of(const Place& from, const Place& to, std::uint64_t bytes) const;
  const Figure* alone_at(const Place& from, const Place& to, std::uint64_t bytes) const;

  const Observations& observations_;
  const std::map<PlacePair, Curve>& one_way_;
  std::array<Curve, 3> typical_;  // one way, of all pairs in a node, across its sockets, between nodes
  std::map<std::vector<Place>, Curve> alone_curves_;
  std::vector<StreamRate> alone_, loaded_;
};

}  // namespace plumbline::hw::calibration
