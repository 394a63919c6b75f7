#pragma once
// Which streams tell who is behind which switch, of nodes that are behind switches which are behind one more: a stream
// between two switches takes a share of one way up and of one way down, one inside of a switch is slowed by nothing.
// Why these and no others: docs/models/measuring-streams.md.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace plumbline::bench::network {

struct Stream {
  std::uint32_t from = 0, to = 0;

  bool operator==(const Stream&) const = default;
};

// Streams that begin together. Those of several experiments of one round do as well; nobody sends twice or receives
// twice in a round, but in "into" and "out_of".
struct Experiment {
  std::string_view part;
  std::vector<Stream> streams;

  bool operator==(const Experiment&) const = default;
};
using StreamRound = std::vector<Experiment>;

// All nodes at once, in so many ways that which streams are slowed tells who is behind which switch: rounds in which
// each sends to the one a shift behind it, and rounds of pairs, each in one direction. Every shift and every pair of up
// to 32 nodes; of more, four shifts to each doubling, and partners_by_default() rounds of pairs. No two nodes send to
// each other: a rendezvous makes such streams wait for each other whatever the network is
// (docs/models/serialised-rendezvous.md).
std::vector<std::uint32_t> shifts(std::uint32_t nodes);
std::vector<Experiment> loaded_rounds(std::uint32_t nodes);

// seconds[i][k] is what stream k of round i took. The answer: a number for each node, from 0 in their order; nodes of
// one number look as if they were behind one switch. All 0 where nothing was slowed.
struct GroupRule {
  double slowed = 1.5;  // times the fastest that both ends were seen
  double alike = 0.3;   // share of the same answers, at least, of two of one group
};
std::vector<std::uint32_t> groups_of(std::uint32_t nodes, std::span<const Experiment> rounds,
                                     std::span<const std::vector<double>> seconds, const GroupRule& rule = {});

// Of groups that were found: whether two streams that leave one share its way up, and whether each of its nodes is
// behind its switch, for then a stream to it from inside is not slowed by one that leaves. Two streams an experiment.
std::vector<StreamRound> against(std::span<const std::uint32_t> group_of);

// From each group, all nodes at once to nodes outside, each to another; one round for each group.
std::vector<StreamRound> across(std::span<const std::uint32_t> group_of);

// Rings of at least three nodes of a group: each sends to the next, and receives from the one before, "both" at once.
// So that no two send to each other, which they do only where there are no three.
StreamRound rings(std::span<const std::uint32_t> group_of);

// Each of the streams once, "alone": one by one, or as many at once as have no node in common, and no group that more
// than one of them leaves or enters.
std::vector<StreamRound> undisturbed(std::span<const Stream> streams, std::span<const std::uint32_t> group_of,
                                     bool one_by_one);

}  // namespace plumbline::bench::network
