#pragma once
// Which of several like components are slower than the others: shown by tests, and reported, not fitted away.
// docs/calibration.md, "Slower than its peers".

#include <cstddef>
#include <span>
#include <vector>

namespace plumbline::hw::calibration {

// What was seen of one component, each value relative to the centre of its class: above 1 is slower.
struct Member {
  std::vector<double> runs;  // medians of runs, of all pairs that tell of it
};

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

}  // namespace plumbline::hw::calibration
