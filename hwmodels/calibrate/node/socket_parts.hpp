#pragma once
// Which part of the way between two sockets takes how much of it. docs/models/calibration-sockets.md.

#include <string>
#include <vector>

namespace plumbline::hw::calibration {

// ns for each byte of all that crosses there and back at once: the interconnect takes no more, and neither does a
// socket beside what stays in it meanwhile.
struct BothWays {
  double interconnect = 0, socket = 0;
  bool slowed = false;  // by what they share: one of the two takes exactly that
};

// ns for each byte; 0: not measured.
struct CrossingSeen {
  double packet = 0;   // of one packet, which passes both sockets, both links and the interconnect one after the other
  double one_way = 0;  // of streams from one socket to another: what the slowest part takes
  double apart = 0;    // of streams that have no socket in common and slow each other all the same
  std::vector<BothWays> both = {};
};

struct CrossingPart {
  double per_byte = 0;  // ns; 0: so little that nothing shows it
  double doubt = 0;     // how far other explanations of the same figures are from its rate, relative, at most 1
};

struct CrossingParts {
  CrossingPart socket, link, interconnect;
  std::string note = {};  // what of the figures they do not explain
};

// Of all explanations by extremes (each part as slow as streams allow, in any order) the first that fits, links
// before sockets before the interconnect.
CrossingParts parts_of_crossing(CrossingSeen seen);

}  // namespace plumbline::hw::calibration
