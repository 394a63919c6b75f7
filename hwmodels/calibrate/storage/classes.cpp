#include "hwmodels/calibrate/storage/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/quantity.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/observations/runs.hpp"
#include "hwmodels/calibrate/observations/storage_select.hpp"

namespace plumbline::hw::calibration {
namespace {

using namespace bench::cells;

struct ClassName {
  std::string part, mount, what;
  auto operator<=>(const ClassName&) const = default;
};

struct AccessKind {
  std::uint64_t bytes = 0;
  double clients = 1, distance = 0;
  auto operator<=>(const AccessKind&) const = default;
};

using TimesOfRuns = std::map<std::uint32_t, std::vector<double>>;  // s
using TimesOfPart = std::map<AccessKind, TimesOfRuns>;
using TimesOfParts = std::map<std::string, TimesOfPart>;

AccessKind kind_of(const bench::Cell& cell) {
  return {cell.bytes, number(cell, kClients, 1), number(cell, kDistance, 0)};
}

std::string of_size(const bench::Cell& cell) {
  return fmt::format("{} of {}", word(cell, kCall), format(Bytes{cell.bytes}));
}

void add_time(double seconds, std::vector<double>& to) {
  if (seconds > 0 && std::isfinite(seconds)) to.push_back(seconds);
}

// Ranks of a host by their number there, so that they are the same from run to run.
std::string client_name(const bench::Campaign& campaign, const bench::Cell& cell, std::size_t index) {
  const std::uint32_t rank = cell.ranks.empty() ? static_cast<std::uint32_t>(index) : cell.ranks[index];
  if (cell.run >= campaign.runs.size() || rank >= campaign.runs[cell.run].hosts.size())
    return fmt::format("client rank {}", rank);
  const std::vector<std::string>& hosts = campaign.runs[cell.run].hosts;
  const auto before = std::count(hosts.begin(), hosts.begin() + rank, hosts[rank]);
  return before == 0 ? "client on " + hosts[rank] : fmt::format("client {} on {}", before + 1, hosts[rank]);
}

class StorageClasses {
 public:
  explicit StorageClasses(const bench::Campaign& campaign) : campaign_(campaign) {
    const RunChoice runs = choose_runs(campaign);
    for (const bench::Cell& cell : campaign.cells) {
      if (!runs.takes(cell)) continue;
      if (cell.operation == kStorageCalls) add_server(cell);
      if (cell.operation == kStorageCalls || cell.operation == kStorageMetadata) add_clients(cell);
      if (cell.operation == kStorageSeek) add_disk(cell);
    }
  }

  std::vector<PartClass> run() const {
    std::vector<PartClass> result;
    for (const auto& [name, parts] : classes_) result.push_back(compared(name, parts));
    return result;
  }

 private:
  std::vector<double>& times(const ClassName& name, const std::string& component, const bench::Cell& cell) {
    return classes_[name][component][kind_of(cell)][cell.run];
  }

  void add_all(const bench::Cell& cell, std::vector<double>& to) const {
    for (const double seconds : samples_of({&cell})) add_time(seconds, to);
  }

  void add_server(const bench::Cell& cell) {
    if (number(cell, kServers, 0) != 1) return;
    add_all(cell, times({"server", word(cell, kMountPoint), of_size(cell)}, "server " + word(cell, kServer), cell));
  }

  // What a way costs hardly depends on its length and on what is read at its end; what is read in place does.
  void add_disk(const bench::Cell& cell) {
    if (!cell.numbers.contains(kDistance)) return;
    const bool in_place = number(cell, kDistance, 0) == 0;
    const std::string what = in_place ? of_size(cell) + " in place" : word(cell, kCall) + " elsewhere";
    add_all(cell, times({"disk", word(cell, kMountPoint), what}, "disk of " + word(cell, kNode), cell));
  }

  // Where the times of each were kept and they had no server of their own.
  void add_clients(const bench::Cell& cell) {
    const std::size_t repetitions = cell.seconds.size();
    const std::size_t clients = repetitions == 0 ? 0 : cell.of_ranks.size() / repetitions;
    if (clients < 2 || number(cell, kServers, 1) != 1 || (!cell.ranks.empty() && cell.ranks.size() < clients)) return;
    const std::string where = word(cell, kWhere);
    const ClassName name{"client", word(cell, kMountPoint), word(cell, kCall) + (where.empty() ? "" : ", " + where)};
    for (std::size_t i = 0; i < clients; ++i) {
      std::vector<double>& to = times(name, client_name(campaign_, cell, i), cell);
      for (std::size_t k = 0; k < repetitions; ++k)
        if (k >= cell.flags.size() || cell.flags[k] == 0) add_time(cell.of_ranks[k * clients + i], to);
    }
  }

  static double centre_of(const TimesOfRuns& runs) {
    std::vector<double> medians;
    for (const auto& [run, seconds] : runs)
      if (!seconds.empty()) medians.push_back(median(seconds));
    return medians.empty() ? 0 : median(medians);
  }

  // Kinds of access, and what parts take for them, where there are enough of them.
  static std::map<AccessKind, double> centres_of(const TimesOfParts& parts) {
    std::map<AccessKind, std::vector<double>> all;
    for (const auto& [component, kinds] : parts)
      for (const auto& [kind, runs] : kinds)
        if (const double centre = centre_of(runs); centre > 0) all[kind].push_back(centre);
    std::map<AccessKind, double> centres;
    for (const auto& [kind, of_parts] : all)
      if (of_parts.size() >= kFewestPeers) centres[kind] = median(of_parts);
    return centres;
  }

  static Member member_of(const TimesOfPart& kinds, const std::map<AccessKind, double>& centres) {
    std::map<std::uint32_t, std::vector<double>> relative;
    for (const auto& [kind, centre] : centres)
      if (const auto found = kinds.find(kind); found != kinds.end())
        for (const auto& [run, seconds] : found->second)
          if (!seconds.empty()) relative[run].push_back(median(seconds) / centre);
    Member member;
    for (const auto& [run, values] : relative) member.runs.push_back(median(values));
    return member;
  }

  static std::size_t runs_of(const TimesOfPart& kinds) {
    std::set<std::uint32_t> all;
    for (const auto& [kind, runs] : kinds)
      for (const auto& [run, seconds] : runs)
        if (!seconds.empty()) all.insert(run);
    return all.size();
  }

  static PartClass compared(const ClassName& name, const TimesOfParts& parts) {
    PartClass result{name.part, name.mount, name.what, name.part == "server" ? PeerRule{}.least : kLeastOfTimes};
    result.parts = parts.size();
    result.runs = runs_of(parts.begin()->second);
    const std::map<AccessKind, double> centres = centres_of(parts);
    for (const auto& [component, kinds] : parts) {
      result.runs = std::min(result.runs, runs_of(kinds));
      Member member = member_of(kinds, centres);
      if (member.runs.empty()) continue;
      result.names.push_back(component);
      result.members.push_back(std::move(member));
    }
    std::vector<double> usual;
    for (const auto& [kind, centre] : centres) usual.push_back(centre);
    if (!usual.empty()) result.usual_s = median(usual);
    return result;
  }

  const bench::Campaign& campaign_;
  std::map<ClassName, TimesOfParts> classes_;
};

}  // namespace

std::vector<PartClass> classes_of_storage(const bench::Campaign& campaign) { return StorageClasses(campaign).run(); }

}  // namespace plumbline::hw::calibration
