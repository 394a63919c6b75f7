#pragma once
// Which nodes are behind one switch: from how far apart they are, and from which streams slow each other down.
// docs/models/calibration-campaign.md.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hwmodels/calibrate/fit/levels.hpp"

namespace plumbline::hw::calibration {

// Of two different nodes, the lower one first: the one-way time of the smallest message.
using Distances = std::map<std::pair<std::uint32_t, std::uint32_t>, Measured>;

struct Flow {
  std::uint32_t from = 0, to = 0;  // nodes

  auto operator<=>(const Flow&) const = default;
};

// Streams that were under way together, in rounds, and how much longer each took than it can.
struct Contention {
  Flow stream;
  std::uint32_t round = 0;  // index in rounds
  double times = 1;
};
struct Contentions {
  std::vector<std::vector<Flow>> rounds;
  std::vector<Contention> streams;
};

enum class Sharing {
  kNone,       // no stream was slowed by another of other nodes
  kUplinks,    // streams between groups share the way out of one, or the way into the other
  kBackplane,  // all streams share something
};

struct Grouping {
  std::vector<std::uint32_t> group_of;  // [nodes], from 0 in their order
  std::uint32_t groups = 1;
  Sharing sharing = Sharing::kNone;
  std::string evidence;            // what it stands on, for people
  std::vector<std::string> notes;  // what cannot be known, or does not go together
};

struct ContentionRule {
  double slowed = 1.3;     // from here on a stream was slowed by others
  double agreement = 0.7;  // of the streams that are slowed or ought to be, the share that must be both
  double all = 0.9;        // share of all streams that are slowed where they share a backplane
};

Grouping find_groups(std::uint32_t nodes, const Distances& distances, const Contentions& contentions,
                     const ContentionRule& rule = {});

}  // namespace plumbline::hw::calibration
