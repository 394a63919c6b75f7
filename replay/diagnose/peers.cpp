#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/quantity.hpp"
#include "replay/compare/instances.hpp"
#include "replay/compare/pairing/failed_polls.hpp"
#include "replay/compare/result/excess.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/compare/statistics.hpp"
#include "replay/compare/tally.hpp"
#include "replay/diagnose/kinds.hpp"
#include "replay/diagnose/roles.hpp"

namespace plumbline::replay {
namespace {

constexpr std::size_t kLeastPeers = 2;  // with one peer nobody can say which of the two is off
// A rank stands out when its loss lies this many robust standard deviations above the ranks' median.
constexpr double kOutlier = 3 * 1.4826;

// One rank against the others in the rows that it shares with them.
struct Standing {
  std::uint32_t rank = 0;
  TimeSum loss, waiting_loss;  // beyond the peers' median
  std::uint64_t operations = 0, above = 0;
  double p = 1;
  const Row* worst = nullptr;
  TimeSum worst_loss;
  std::vector<std::uint32_t> rows;  // in which it loses more than its peers: indices into the comparison's
  std::vector<Instance> instances;
};

class Peers {
 public:
  Peers(const Comparison& comparison, const Program& observed, const Expected& expected)
      : comparison_(comparison),
        observed_(observed),
        expected_(expected),
        keys_(observed),
        polls_(observed),
        begin_(begin_of(observed)) {
    standings_.resize(observed.ranks());
    for (std::uint32_t rank = 0; rank < observed.ranks(); ++rank) standings_[rank].rank = rank;
    for (std::size_t i = 0; i < comparison.rows.size(); ++i) add_row(i);
    for (Standing& standing : standings_)
      if (is_candidate(standing)) count_above(standing);
  }

  // Ranks that lose more than the threshold and stand out from the others, shown by a test.
  std::vector<Standing> slower() {
    std::vector<double> p_values;
    for (const Standing& standing : standings_)
      p_values.push_back(standing.operations > 0 ? sign_test(standing.above, standing.operations) : 1);
    p_values = benjamini_hochberg(p_values);
    std::vector<Standing> result;
    for (Standing& standing : standings_) {
      standing.p = p_values[standing.rank];
      if (is_candidate(standing) && standing.p <= comparison_.options.false_discovery_rate) result.push_back(standing);
    }
    return result;
  }

 private:
  void add_row(std::size_t index) {
    const Row& row = comparison_.rows[index];
    if (row.parts.size() <= kLeastPeers) return;
    row_of_[row.key] = index;
    const std::vector<Role> roles = roles_in(row);
    const auto means_of = mean_excesses(row, roles);
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const RankPart& part = row.parts[i];
      const std::vector<double>& means = means_of[static_cast<std::size_t>(roles[i])];
      if (means.size() <= kLeastPeers) continue;
      const double median = median_of_others(means, mean_excess(part));
      const double of_peers = median * static_cast<double>(part.operations);
      const TimeSum loss = part.stack - TimeSum::of(static_cast<TimeSum::Picoseconds>(of_peers));
      Standing& standing = standings_[part.rank];
      standing.loss += loss;
      if (row.waiting) standing.waiting_loss += loss;
      if (loss > TimeSum{}) standing.rows.push_back(static_cast<std::uint32_t>(index));
      if (loss <= standing.worst_loss) continue;
      standing.worst = &row;
      standing.worst_loss = loss;
    }
  }

  // Lower middle of the sorted means without one that equals `own`.
  static double median_of_others(const std::vector<double>& means, double own) {
    const std::size_t middle = (means.size() - 2) / 2;
    return own > means[middle] ? means[middle] : means[middle + 1];
  }

  bool is_candidate(const Standing& standing) const {
    if (share_of(standing.loss, comparison_.totals.run) < comparison_.options.threshold) return false;
    std::vector<TimeSum> losses, distances;
    for (const Standing& other : standings_) losses.push_back(other.loss);
    const TimeSum middle = median(losses);
    for (const TimeSum loss : losses) distances.push_back(std::max(loss - middle, middle - loss));
    return static_cast<double>((standing.loss - middle).ps) > kOutlier * static_cast<double>(median(distances).ps);
  }

  void count_above(Standing& standing) {
    const RankProgram& program = observed_.rank(standing.rank);
    const ExpectedRank& columns = expected_.ranks[standing.rank];
    std::map<std::size_t, double> medians;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      if (polls_.contains(program.operations[i])) continue;
      const auto row = row_of_.find(keys_.of(program, program.operations[i]));
      if (row == row_of_.end() || !reason_not_judged(observed_, expected_, standing.rank, i).empty()) continue;
      const auto [median, is_new] = medians.try_emplace(row->second, 0.0);
      if (is_new) median->second = peers_median(comparison_.rows[row->second], standing.rank);
      if (std::isnan(median->second)) continue;
      const Duration excess = excess_of(program.times[i].end - program.times[i].begin, columns.lower[i],
                                        columns.upper[i], columns.as_run_upper[i])
                                  .stack;
      ++standing.operations;
      if (static_cast<double>(excess.ps) <= median->second) continue;
      ++standing.above;
      const Instance instance = instance_of(observed_, expected_, comparison_.reference, begin_, standing.rank, i);
      if (instance.own > columns.band[i]) keep_worst(standing.instances, instance);
    }
  }

  // NaN where the rank has too few peers in the row.
  static double peers_median(const Row& row, std::uint32_t rank) {
    const std::vector<Role> roles = roles_in(row);
    const auto own = std::ranges::find(row.parts, rank, &RankPart::rank);
    const auto means_of = mean_excesses(row, roles);
    const std::vector<double>& means =
        means_of[static_cast<std::size_t>(roles[static_cast<std::size_t>(own - row.parts.begin())])];
    if (means.size() <= kLeastPeers) return std::numeric_limits<double>::quiet_NaN();
    return median_of_others(means, mean_excess(*own));
  }

  const Comparison& comparison_;
  const Program& observed_;
  const Expected& expected_;
  RowKeys keys_;
  FailedPolls polls_;
  Time begin_;  // of the observed run
  std::map<RowKey, std::size_t> row_of_;
  std::vector<Standing> standings_;
};

std::string name_of(const Program& observed, std::span<const Standing> ranks) {
  const std::uint32_t node = observed.rank(ranks.front().rank).node;
  const std::string node_name = node < observed.nodes() ? std::string(observed.node(node)) : "";
  if (ranks.size() > 1) return "node " + node_name;
  if (observed.nodes() < 2) return fmt::format("rank {}", ranks.front().rank);
  return fmt::format("rank {} on node {}", ranks.front().rank, node_name);
}

std::string why_withheld(const Comparison& comparison, const Standing& worst) {
  if (worst.waiting_loss * 2 <= worst.loss) return {};
  for (const SharedCores& node : comparison.shared_cores)
    if (std::ranges::binary_search(node.ranks, worst.rank)) return why_waiting_is_withheld(node);
  if (comparison.reference == ReferenceRun::kObserved) return std::string(kTwoRunsCannotTell);
  const TimeSum off_cpu = comparison.off_cpu[worst.rank];
  return off_cpu * 2 >= worst.loss ? why_waiting_is_withheld(off_cpu) : "";
}

// Of one rank, or of all ranks of a node.
Finding finding_of(const Comparison& comparison, const Program& observed, std::span<const Standing> ranks) {
  const Standing& worst = *std::ranges::max_element(ranks, {}, &Standing::loss);
  Finding finding;
  finding.reference = Reference::kPeers;
  finding.component = name_of(observed, ranks);
  finding.cost = worst.loss;
  finding.share = share_of(worst.loss, comparison.totals.run);
  TimeSum sum;
  std::uint64_t above = 0;
  double p = 0;
  std::set<std::uint32_t> rows;
  for (const Standing& standing : ranks) {
    sum += standing.loss;
    above += standing.above;
    finding.operations += standing.operations;
    finding.ranks.push_back(standing.rank);
    p = std::max(p, standing.p);
    rows.insert(standing.rows.begin(), standing.rows.end());
    for (const Instance& instance : standing.instances) keep_worst(finding.instances, instance);
  }
  finding.rows.assign(rows.begin(), rows.end());
  finding.share_of_excess = part_of_all(sum, comparison);
  finding.title = fmt::format("{} loses {} more than its peers in the same calls, most of it in {}{}",
                              finding.component, format(worst.loss), worst.worst->call, at_site(*worst.worst));
  finding.confidence = p <= 0.01 ? Confidence::kHigh : Confidence::kGood;
  finding.basis = fmt::format("{} of {} above the median of the other ranks; sign test, adjusted p = {:.2g}", above,
                              plural(finding.operations, "operation"), p);
  finding.evidence = {{"operations_above_peers", static_cast<double>(above), "1"},
                      {"loss_beyond_peers", sum.seconds(), "s"},
                      {"loss_in_worst_row", worst.worst_loss.seconds(), "s"}};
  finding.call = worst.worst->call;
  finding.site = worst.worst->site;
  finding.advice = {fmt::format("look at what is different on {}: its link, clock frequency, memory, other processes",
                                finding.component)};
  finding.withheld = why_withheld(comparison, worst);
  return finding;
}

}  // namespace

std::vector<Finding> slower_than_peers(const Comparison& comparison, const Program& observed,
                                       const Expected& expected) {
  std::map<std::uint32_t, std::size_t> ranks_on_node;
  for (std::uint32_t rank = 0; rank < observed.ranks(); ++rank) ++ranks_on_node[observed.rank(rank).node];
  std::map<std::uint32_t, std::vector<Standing>> by_node;
  for (const Standing& standing : Peers(comparison, observed, expected).slower())
    by_node[observed.rank(standing.rank).node].push_back(standing);
  std::vector<Finding> findings;
  for (const auto& [node, slow] : by_node) {
    if (slow.size() > 1 && slow.size() == ranks_on_node[node] && ranks_on_node.size() > 1) {
      findings.push_back(finding_of(comparison, observed, slow));
      continue;
    }
    for (const Standing& standing : slow) findings.push_back(finding_of(comparison, observed, std::span(&standing, 1)));
  }
  return findings;
}

}  // namespace plumbline::replay
