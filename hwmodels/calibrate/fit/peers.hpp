#pragma once
// Which of several like components are slower than the others: shown by tests, and reported, not fitted away.
// docs/models/calibration-peers.md.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace plumbline::hw::calibration {

// What was seen of one component, each value relative to the centre of its class: above 1 is slower.
struct Member {
  std::vector<double> runs;  // medians of runs, of all pairs that tell of it
};

inline constexpr std::size_t kFewestPeers = 3;
inline constexpr double kLeastOfTimes =
    0.10;  // PeerRule::least of small messages, calls and seeks: they vary more than rates

struct PeerRule {
  double least = 0.05;               // slower by less is not told
  double false_discoveries = 0.001;  // expected share of the outliers that are none
};

struct Outlier {
  std::size_t member = 0;
  double times = 1;  // its centre over that of its peers
  double p = 1;      // adjusted for the number of members
};

// Members whose centre is beyond `least`, that stand out from how much the others differ (Student's t of the distance
// to the median of the others, over their robust deviation, others - 1 degrees of freedom), and whose runs lie above
// those of the others (rank sums). The larger p of both counts, after Benjamini and Hochberg. None of fewer than three:
// of two nobody can say which is off.
std::vector<Outlier> slower_than_peers(std::span<const Member> members, const PeerRule& rule = {});

// Runs that each of so many members must have been seen in before one of them can be told: 1 / C(members * runs, runs)
// is the least p that rank sums can have. 5 of 3 to 5 members, 4 of 6 to 15, 3 of 16 to 500; 0: never.
std::size_t fewest_runs(std::size_t members, const PeerRule& rule = {});

// What the p of a finding is from.
std::string basis_of(std::size_t runs, std::size_t members);

}  // namespace plumbline::hw::calibration
