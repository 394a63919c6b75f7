#pragma once
// Whether what one rank sends another stays in order: then the answer to one's own request may have to wait behind the
// other's data. docs/models/calibration-order.md.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/calibrate/structure/structure.hpp"

namespace plumbline::hw::calibration {

// What two ranks took for one size, seen by the one that comes last, and what an empty message takes one way. ns.
struct Exchange {
  double alone = 0;   // its message and an empty one back; nothing else
  double apart = 0;   // a message of each, where it had not taken the other's request
  double inside = 0;  // where it had
  double control = 0;

  // What an exchange takes longer where an answer waits behind the data.
  double wait() const { return alone - 4 * control; }
  // Of that, what having taken the request made it longer: 1 in order, 0 without.
  double share() const { return (inside - apart) / wait(); }
};

// Of messages between nodes that wait for their receiver. None: not known. Says in `notes` what it stands on, how sure
// that is, or why it is not known.
std::optional<bool> fit_order(const Structure& structure, const Observations& observations,
                              std::optional<std::uint64_t> rendezvous, const std::string& source,
                              std::vector<std::string>& notes);

}  // namespace plumbline::hw::calibration
