#include "viewer/index/lanes/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "base/quantity.hpp"
#include "viewer/index/lanes/fold_features.hpp"

namespace plumbline::viewer {
namespace {

using Group = std::vector<std::uint32_t>;  // ranks, ascending

// The greatest difference in one feature; at least `enough` where it is that much.
float distance(std::span<const float> a, std::span<const float> b, float enough) {
  float most = 0;
  for (std::size_t i = 0; i < a.size() && most < enough; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

class Clusters {
 public:
  Clusters(const Features& features, std::uint32_t ranks) : features_(features), ranks_(ranks) {
    for (const Feature& feature : features.features) median_.push_back(feature.median);
  }

  // Ranks within `limit` units of a leader; nothing where that makes more than `most` groups.
  std::vector<Group> cut_at(float limit, std::size_t most) const {
    std::vector<std::span<const float>> leaders{median_};
    std::vector<Group> groups(1);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::span<const float> own = features_.of(rank);
      std::size_t nearest = leaders.size();
      float least = std::nextafter(limit, std::numeric_limits<float>::max());
      for (std::size_t i = 0; i < leaders.size(); ++i) {
        const float away = distance(own, leaders[i], least);
        if (away >= least) continue;
        least = away;
        nearest = i;
      }
      if (nearest == leaders.size()) {
        if (groups.size() > most) return {};
        leaders.push_back(own);
        groups.emplace_back();
      }
      groups[nearest].push_back(rank);
    }
    if (groups[0].empty()) groups.erase(groups.begin());  // the median of all may be like nobody
    return groups;
  }

 private:
  const Features& features_;
  const std::uint32_t ranks_;
  std::vector<float> median_;
};

// A few ranks that are unlike most stand alone.
std::vector<Group> with_few_alone(const std::vector<Group>& groups, std::uint32_t few) {
  std::size_t largest = 0;
  for (const Group& group : groups) largest = std::max(largest, group.size());
  std::vector<Group> split;
  for (const Group& group : groups) {
    if (group.size() > few || group.size() == largest) {
      split.push_back(group);
      continue;
    }
    for (const std::uint32_t rank : group) split.push_back({rank});
  }
  return split;
}

std::vector<Group> by_node(const Runs& runs, const std::vector<Group>& groups) {
  std::vector<Group> split;
  for (const Group& group : groups) {
    std::map<std::uint32_t, Group> nodes;
    for (const std::uint32_t rank : group) nodes[runs.observed.rank(rank).node].push_back(rank);
    for (auto& [node, ranks] : nodes) split.push_back(std::move(ranks));
  }
  return split;
}

std::vector<Group> groups_of(const Runs& runs, const Features& features, const FoldOptions& options) {
  const Clusters clusters(features, runs.observed.ranks());
  for (float limit = 1;; limit *= 2) {
    std::vector<Group> groups = clusters.cut_at(limit, options.most_folds);
    if (groups.empty()) continue;
    groups = with_few_alone(groups, options.few);
    if (groups.size() > options.most_folds) continue;
    std::vector<Group> split = by_node(runs, groups);
    return split.size() <= options.most_folds_by_node ? split : groups;
  }
}

std::string note_of(const Features& features, std::uint32_t rank) {
  double most = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < features.features.size(); ++i) {
    const Feature& feature = features.features[i];
    const double units = features.of(rank)[i] - feature.median;
    if (std::abs(units) < 1 || std::abs(units * feature.unit_ps) <= std::abs(most)) continue;
    most = units * feature.unit_ps;
    at = i;
  }
  if (most == 0) return {};
  const TimeSum time = time_sum_from_seconds(std::abs(most) * 1e-12);
  return fmt::format("{}{} {}", most > 0 ? "+" : "-", format(time), features.features[at].name);
}

Fold fold_of(const Runs& runs, const Features& features, Group ranks) {
  Fold fold;
  fold.worst_rank = ranks.front();
  fold.node = runs.observed.rank(ranks.front()).node;
  for (const std::uint32_t rank : ranks) {
    if (features.badness_ps[rank] > features.badness_ps[fold.worst_rank]) fold.worst_rank = rank;
    if (runs.observed.rank(rank).node != fold.node) fold.node = replay::kNone;
  }
  if (ranks.size() == 1) fold.note = note_of(features, ranks.front());
  fold.ranks = std::move(ranks);
  return fold;
}

}  // namespace

Folds fold_ranks(const Runs& runs, const FoldOptions& options) {
  Folds folds;
  if (runs.observed.ranks() == 0) return folds;
  const Features features = features_of(runs);
  std::vector<Group> groups = groups_of(runs, features, options);
  std::ranges::sort(groups, {}, [](const Group& group) { return group.front(); });
  folds.fold_of.resize(runs.observed.ranks());
  for (Group& group : groups) {
    for (const std::uint32_t rank : group) folds.fold_of[rank] = static_cast<std::uint32_t>(folds.folds.size());
    folds.folds.push_back(fold_of(runs, features, std::move(group)));
  }
  return folds;
}

}  // namespace plumbline::viewer
