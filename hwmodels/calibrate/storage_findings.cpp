#include "hwmodels/calibrate/storage_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/quantity.hpp"
#include "base/statistics/rank_sum.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/storage_select.hpp"
#include "hwmodels/calibrate/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

// A difference that matters, and that equals show once in a thousand campaigns of this many parts.
constexpr double kMuchSlower = 1.25, kChance = 0.001;
constexpr std::size_t kFewestTimes = 6;  // times of a part

struct PartTimes {
  std::string name;
  std::vector<double> seconds;
};

Finding finding_of(const PartTimes& part, const std::string& what, double own, double usual, double p,
                   std::size_t others) {
  Finding finding;
  finding.component = part.name;
  finding.quantity = what;
  finding.measured = own * 1e9;
  finding.expected = usual * 1e9;
  finding.unit = "ns";
  finding.severity = own / usual - 1;
  finding.p = p;
  finding.samples = static_cast<std::uint32_t>(part.seconds.size());
  finding.basis = fmt::format("rank sums of {} times and those of {} like it", part.seconds.size(), others);
  return finding;
}

// Nothing of like parts but the one is taken from them: its own times against those of all others together.
std::vector<Finding> slower_than_others(const std::vector<PartTimes>& parts, const std::string& what) {
  std::vector<Finding> findings;
  for (const PartTimes& part : parts) {
    std::vector<double> others, medians;
    for (const PartTimes& other : parts)
      if (&other != &part && other.seconds.size() >= kFewestTimes) {
        others.insert(others.end(), other.seconds.begin(), other.seconds.end());
        medians.push_back(median(other.seconds));
      }
    if (part.seconds.size() < kFewestTimes || medians.empty()) continue;
    const double own = median(part.seconds), usual = median(medians);
    if (!(own > kMuchSlower * usual)) continue;
    const double p = statistics::rank_sum_test(part.seconds, others, statistics::Alternative::kGreater).p *
                     static_cast<double>(parts.size());
    if (p < kChance) findings.push_back(finding_of(part, what, own, usual, p, medians.size()));
  }
  return findings;
}

// What is compared must have been asked for alike.
using Kind = std::tuple<std::string, std::string, std::string, std::uint64_t, double, double>;

Kind kind_of(const bench::Cell& cell) {
  return {word(cell, kMountPoint),
          cell.operation,
          word(cell, kCall) + " " + word(cell, kWhere),
          cell.bytes,
          number(cell, kClients, 1),
          number(cell, kDistance, -1)};
}

std::string title(const bench::Cell& cell) {
  std::string text = word(cell, kCall);
  if (cell.bytes > 0) text += fmt::format(" of {}", format(Bytes{cell.bytes}));
  return text;
}

// Parts of each kind of cell, by the name that `part_of` gives; cells without one are left out.
template <class PartOf>
void compare(const Cells& cells, PartOf part_of, std::vector<Finding>& into) {
  std::map<Kind, std::map<std::string, Cells>> kinds;
  for (const bench::Cell* cell : cells)
    if (const std::string part = part_of(*cell); !part.empty()) kinds[kind_of(*cell)][part].push_back(cell);
  for (const auto& [kind, by_part] : kinds) {
    std::vector<PartTimes> parts;
    for (const auto& [name, of_part] : by_part) parts.push_back({name, samples_of(of_part)});
    const std::vector<Finding> found = slower_than_others(parts, title(*by_part.begin()->second.front()));
    into.insert(into.end(), found.begin(), found.end());
  }
}

std::string name_of_client(const bench::Campaign& campaign, const bench::Cell& cell, std::size_t index) {
  const std::uint32_t rank = cell.ranks.empty() ? static_cast<std::uint32_t>(index) : cell.ranks[index];
  if (cell.run < campaign.runs.size() && rank < campaign.runs[cell.run].hosts.size())
    return fmt::format("client rank {} on {}", rank, campaign.runs[cell.run].hosts[rank]);
  return fmt::format("client rank {}", rank);
}

// Clients of one cell against each other, where the times of each were kept and they had no server of their own.
void compare_clients(const bench::Campaign& campaign, const bench::Cell& cell, std::vector<Finding>& into) {
  const std::size_t repetitions = cell.seconds.size();
  const std::size_t clients = repetitions == 0 ? 0 : cell.of_ranks.size() / repetitions;
  if (clients < 2 || number(cell, kServers, 1) != 1) return;
  std::vector<PartTimes> parts(clients);
  for (std::size_t i = 0; i < clients; ++i) {
    parts[i].name = name_of_client(campaign, cell, i);
    for (std::size_t k = 0; k < repetitions; ++k) parts[i].seconds.push_back(cell.of_ranks[k * clients + i]);
  }
  const std::vector<Finding> found = slower_than_others(parts, title(cell));
  into.insert(into.end(), found.begin(), found.end());
}

// Of each component what is worst.
std::vector<Finding> worst_of_each(const std::vector<Finding>& findings) {
  std::map<std::string, Finding> worst;
  for (const Finding& finding : findings) {
    Finding& kept = worst[finding.component];
    if (finding.severity > kept.severity) kept = finding;
  }
  std::vector<Finding> result;
  for (const auto& [component, finding] : worst) result.push_back(finding);
  return result;
}

}  // namespace

std::vector<Finding> find_storage_outliers(const bench::Campaign& campaign) {
  std::vector<Finding> findings;
  const Cells calls = cells_of(campaign, kStorageCalls), seeks = cells_of(campaign, kStorageSeek);
  compare(
      calls,
      [](const bench::Cell& cell) {
        return number(cell, kServers, 0) == 1 ? "server " + word(cell, kServer) : std::string();
      },
      findings);
  compare(
      select(seeks, [](const bench::Cell& cell) { return cell.numbers.contains(kDistance); }),
      [](const bench::Cell& cell) { return "disk of " + word(cell, kNode); }, findings);
  for (const bench::Cell* cell : calls) compare_clients(campaign, *cell, findings);
  for (const bench::Cell* cell : cells_of(campaign, kStorageMetadata)) compare_clients(campaign, *cell, findings);
  return worst_of_each(findings);
}

}  // namespace plumbline::hw::calibration
