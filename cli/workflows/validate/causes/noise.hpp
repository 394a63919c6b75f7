#pragma once
// Time that noise takes from the ranks of a node, and so from all that wait for them.

#include <optional>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"
#include "replay/validate/witness/noise.hpp"

namespace plumbline::cli::validate {

// Seconds of one run of the suite, and what it took beyond what is expected.
struct RunLength {
  double run_s = 0, lost_s = 0;
};

// With one MPI. Whoever waits for a node waits while it is stopped, so that a run loses at most the part of its length
// that the node loses more than its peers, and no more than it lost. Nothing where that is less than 1 % of the suite.
std::optional<replay::validate::Diagnosis> noise(const replay::validate::Noise& seen,
                                                 const std::vector<RunLength>& runs);

// Whether that is no finding of its own: `found` says who had the processors of that node, or, of noise on all nodes,
// that somebody had them; or a quota of a control group stops them; of all nodes also where ranks take turns, for what
// they lose then nobody can tell apart.
bool is_explained(const replay::validate::Noise& seen, const replay::validate::Validation& validation,
                  const std::vector<node::RankIdentity>& ranks, const std::vector<replay::validate::Diagnosis>& found);

// By MPI, what is not explained. The observation is explained where there is a diagnosis.
std::vector<replay::validate::Diagnosis> noises(Session& session,
                                                const std::vector<replay::validate::Diagnosis>& found);

// Ranks that did not run though they were ready, while no other process was seen on their processors: that is evidence
// of a node that loses more than its peers with the same MPI, which says where, if the node explains half of what they
// cost or more. Else both stay, and the ranks cost what the node does not explain.
void fold_unseen_interference(std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
