#pragma once
// Between which nodes TCP lost segments, as the sockets of the ranks tell it.

#include <optional>
#include <string>
#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::replay::validate {

// What one node sent to another one.
struct TcpTraffic {
  std::string from, to;
  double segments = 0, again = 0;  // sent, those sent again too; of these sent again
};

// More than 1 in 10,000 of what was sent, and more than any network may lose: segments, or frames.
bool is_lossy(double sent, double again);

struct LossyPairs {
  std::vector<std::string> ends;  // the node that nearly all was sent again from or to, or else the only pair; or none
  Observation observation;        // net.retransmits; its component is "n3", "n0-n1" or "pairs of nodes"
};

// Where more than 1 segment in 10,000 was sent again between some nodes.
std::optional<LossyPairs> lossy_pairs(const std::vector<TcpTraffic>& traffic);

}  // namespace plumbline::replay::validate
