#pragma once
// Streams of messages -> rates, alone and beside others. docs/calibration.md, "Rates".

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hwmodels/calibrate/curves.hpp"
#include "hwmodels/calibrate/observations.hpp"
#include "hwmodels/calibrate/switch_groups.hpp"

namespace plumbline::hw::calibration {

// One stream, in B/s.
struct StreamRate {
  Place from, to;
  std::uint64_t bytes = 0;  // of a message
  double rate = 0, spread = 0;
  std::vector<double> runs;
};

// (n - 1)·s / (t - T(s)) where n messages of s bytes took t, and one alone takes T(s): the way of the first one is no
// part of the rate. T(s) is that of the pair, or of all pairs where the pair's was not measured at sizes up to s;
// n·s / t where neither was.
class Streams {
 public:
  Streams(const Observations& observations, const std::map<PlacePair, Curve>& one_way);

  // Of each pair and direction that was alone, at its largest size.
  const std::vector<StreamRate>& alone() const { return alone_; }

  // How much longer a stream took beside others than alone.
  std::vector<Contention> contentions() const;

  // How much longer a pair's stream took while the other direction streamed, at each size; medians over pairs between
  // nodes.
  std::map<std::uint64_t, double> both_ways() const;

  // Of all streams that ran at once, at the largest size: what they carried together.
  struct Together {
    std::vector<Flow> flows;
    double rate = 0, spread = 0;
    double alone = 0;  // what each of them carries alone, added up; 0: not known
  };
  std::vector<Together> together() const;

 private:
  double lead(const Place& from, const Place& to, std::uint64_t bytes) const;
  StreamRate rate_of(const Place& from, const Place& to, std::uint64_t bytes, const Figure& figure) const;
  const Figure* alone_at(const Place& from, const Place& to, std::uint64_t bytes) const;

  const Observations& observations_;
  const std::map<PlacePair, Curve>& one_way_;
  Curve typical_;  // one way, of all pairs between nodes
  std::map<std::vector<Place>, Curve> alone_curves_;
  std::vector<StreamRate> alone_;
};

}  // namespace plumbline::hw::calibration
