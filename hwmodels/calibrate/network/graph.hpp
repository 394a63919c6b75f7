#pragma once
// Nodes, groups and what cables can do -> switches and edges of a platform.

#include "hwmodels/calibrate/network/cables.hpp"
#include "hwmodels/calibrate/structure/structure.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// A switch for each group, "s0" .., with a cable to each node; two are joined by a cable, more by a switch "core".
// Latencies are left at 0. Does nothing with one node.
void add_graph(const Grouping& grouping, const Cables& cables, Platform& platform);

// Of one cable between nodes and switches, and of one between switches; all alike.
void set_latencies(const Parameter<Duration>& link, const Parameter<Duration>& uplink, Platform& platform);

// Cables between switches on the way from one group to another.
std::uint32_t uplinks_on_the_way(const Grouping& grouping);

}  // namespace plumbline::hw::calibration
