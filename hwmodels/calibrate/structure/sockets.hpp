#pragma once
// Pairs of ranks in one socket of a node, and across two: whether they are two classes.
// docs/models/calibration-sockets.md.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hwmodels/calibrate/observations/curves.hpp"
#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/calibrate/structure/streams.hpp"

namespace plumbline::hw::calibration {

// Nodes of as many sockets and CPUs each, messages across the sockets of which take alike.
struct SocketGroup {
  std::vector<std::uint32_t> nodes;
  std::uint32_t count = 0;  // sockets that ranks were bound to, of each node
  Curve same, other;        // one way, of pairs in a socket and across two that were measured alike
  bool apart = false;       // these are two classes
  std::string why_not = {};
};

struct SocketClasses {
  std::vector<SocketGroup> groups;  // of nodes whose ranks were seen on two sockets and more
  std::vector<bool> apart = {};     // [nodes]
  std::vector<std::string> notes = {};

  bool anywhere() const;
  const SocketGroup* group_of(std::uint32_t node) const;  // null: in none
};

// `alike`: times of pairs that were all measured in one way; `one_way`: all. The classes differ where times of the
// smallest or of the largest message, or streams alone, are of two levels (levels.hpp), and slower across sockets.
SocketClasses find_socket_classes(const Observations& observations, const std::map<PlacePair, Curve>& one_way,
                                  const std::map<PlacePair, Curve>& alike, const Streams& streams);

enum class Crossing { kSame, kOther };  // in a socket, across two
// False where it is not known.
bool is_of(const Place& a, const Place& b, Crossing crossing);

}  // namespace plumbline::hw::calibration
