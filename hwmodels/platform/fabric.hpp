#pragma once
// Networks of a known shape: star, fat tree, torus, dragonfly. A fabric is made into ordinary switches and edges of a
// platform, whose names follow from its shape, so that single cables can be changed by name; routes inside of it are
// computed, not searched (hwmodels/platform/fabric_shape.hpp).

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/platform/parameter.hpp"

namespace plumbline::hw {

// All members on one switch, "s0". Link of member n3: "s0-n3".
struct Star {
  bool operator==(const Star&) const = default;
};

// Levels 1 to down.size(), with the numbers of SimGrid's fat-tree clusters (PGFT of Zahavi, "D-Mod-K Routing Providing
// Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010): an element of level l - 1, at level 0 a
// member, has up[l-1] parents, by count[l-1] cables each; an element of level l has down[l-1] children. There are as
// many members as the product of `down`. Switch 3 of level 1: "l1s3"; links: "l1s3-n50", "l2s0-l1s3"; where count is
// above 1, "l2s0-l1s3#0", "l2s0-l1s3#1". Routes: up until the switch is above the target, then down, by D-mod-k: from
// level l up to the parent of number (d / (up[0] · … · up[l-1])) mod up[l], d the number of the target among the
// members, and by the cable of number (d / (up[0] · … · up[l])) mod count[l], up and down.
struct FatTree {
  std::vector<std::uint32_t> down, up, count;

  bool operator==(const FatTree&) const = default;
};

// A router at each position of a grid that is closed in each dimension, `nodes` members at each router; the first
// dimension counts fastest. Router "r1x2x0"; links to the next router in + direction, "r1x2x0-r2x2x0", and to members,
// "r1x2x0-n9".
// Routes: one dimension after the other, from the first on, the shorter way round; of two equal ways the + one.
struct Torus {
  std::vector<std::uint32_t> dimensions;
  std::uint32_t nodes = 1;

  bool operator==(const Torus&) const = default;
};

// `groups` groups of `routers` routers of `nodes` members; in a group each router is joined with each other one, and
// each group with each other one by `global` cables. Cable q to the k-th of the other groups leaves its group at router
// (q · (groups - 1) + k) mod routers. Router "g2r3"; links "g2r3-n5", "g2r0-g2r3", "g0r3-g2r0"; where `global` is above
// 1, "g0r3-g2r0#1".
// Routes: the minimal ones, of at most one local, one global, one local link; by global cable d mod global, d the
// number of the target.
struct Dragonfly {
  std::uint32_t groups = 1, routers = 1, nodes = 1;
  std::uint32_t global = 1;

  bool operator==(const Dragonfly&) const = default;
};

// What a cable of a fabric is like when nothing else is said of it.
struct LinkTemplate {
  Parameter<Duration> latency;
  Parameter<BytesPerSecond> rate;

  bool operator==(const LinkTemplate&) const = default;
};

enum class LinkClass : std::uint8_t { kNode, kSwitch, kGlobal };  // to a member; between switches; between groups

struct Fabric {
  std::variant<Star, FatTree, Torus, Dragonfly> shape;
  std::string prefix;                                // of the names of its switches
  std::uint32_t first_node = 0, members = 0;         // consecutive nodes of the platform
  LinkTemplate node_link, switch_link, global_link;  // by LinkClass; empty where the shape has none of that class
  Parameter<BytesPerSecond> switch_rate;
  bool half_duplex = false;
  std::uint32_t first_switch = 0, first_edge = 0;  // of the platform; they follow each other

  bool operator==(const Fabric&) const = default;
};

const LinkTemplate& link_of(const Fabric& fabric, LinkClass link);

}  // namespace plumbline::hw
