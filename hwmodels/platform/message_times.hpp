#pragma once
// How long messages took that were measured: what a network of the kind `sampled` draws from
// (hwmodels/network/sampled.hpp).

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace plumbline::hw {

struct Quantile {
  double share = 0;  // of the messages, which take at most
  Duration value;

  bool operator==(const Quantile&) const = default;
};

// One-way times, from the begin of the send to the end of a receive that was posted before, of messages of one size
// when so many were under way, themselves included. Between two quantiles times are spread evenly.
struct MessageTimes {
  Bytes size;
  std::uint32_t in_flight = 1;
  std::uint64_t count = 0;  // measured; 0: not known
  std::string source;
  std::vector<Quantile> quantiles;  // shares ascend from 0 (the least time) to 1 (the greatest); times do not descend

  bool operator==(const MessageTimes&) const = default;
};

}  // namespace plumbline::hw
