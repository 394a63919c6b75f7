#pragma once
// What each node's cable showed, in each direction, and each pair beside its cables: the members of the classes of like
// components.

#include <cstdint>
#include <vector>

#include "hwmodels/calibrate/fit/peers.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// Of a cable that is fast one partner at least shows it, so the better half of the partners counts: a slow cable of a
// partner is not laid at this one's door.
struct LinkSide {
  std::uint32_t node = 0;
  bool out = true;  // from the node
  Member per_byte;  // ns per byte of streams alone, of pairs behind one switch
  double centre = 0;
};

std::vector<LinkSide> link_sides(const Structure& structure, const std::vector<StreamRate>& alone);

// One-way time of the smallest message over the centre of its kind of pair, by node: the better half of its partners.
struct NodeLatency {
  std::uint32_t node = 0;
  Member relative;
  double centre = 0;
};
std::vector<NodeLatency> node_latencies(const Structure& structure);

}  // namespace plumbline::hw::calibration
