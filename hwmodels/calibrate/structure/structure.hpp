#pragma once
// Which pairs of places are alike: inside of nodes (in a socket, across sockets), behind one switch, across switches.

#include <map>
#include <string_view>

#include "hwmodels/calibrate/observations/curves.hpp"
#include "hwmodels/calibrate/observations/observations.hpp"
#include "hwmodels/calibrate/structure/sockets.hpp"
#include "hwmodels/calibrate/structure/streams.hpp"
#include "hwmodels/calibrate/structure/switch_groups.hpp"

namespace plumbline::hw::calibration {

// Of one node (where its sockets are told apart, of one socket), behind one switch, across switches; of two sockets of
// a node that are told apart.
enum class PairKind { kInside, kNear, kFar, kOtherSocket };

struct Structure {
  Grouping grouping;
  std::map<PlacePair, Curve> one_way;  // all
  // What pairs are told apart by: of `pairs` alone where there are such, so that all were measured in one way.
  std::map<PlacePair, Curve> alike;
  SocketClasses sockets;

  PairKind kind(const Place& a, const Place& b) const {
    if (a.node == b.node)
      return on_two_sockets(a, b) && sockets.apart[a.node] ? PairKind::kOtherSocket : PairKind::kInside;
    return grouping.group_of[a.node] == grouping.group_of[b.node] ? PairKind::kNear : PairKind::kFar;
  }

  // The centre of the pairs of a kind that most sizes were measured of. Empty: none.
  Curve curve(PairKind kind) const;
  // The same of all pairs, at the few sizes that were measured in one way.
  Curve alike_curve(PairKind kind) const;
  // Between nodes, the kind that most sizes were measured of.
  PairKind measured_best() const;
};

Structure find_structure(const Observations& observations);

// The centre of the curves of one operation and part over the pairs of a kind; kNear: or, where there are none, kFar;
// kInside: or, except of streams, kOtherSocket.
Curve centre_of_kind(const Structure& structure, const Observations& observations, std::string_view operation,
                     std::string_view part, PairKind kind);

}  // namespace plumbline::hw::calibration
