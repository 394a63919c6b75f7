#include "bench/results/shared_cores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace plumbline::bench {
namespace {

constexpr std::uint32_t kMostCpus = 1 << 16;

// What ranks of one machine have in common.
std::string boot_or_node(const Run& run, std::size_t rank) {
  if (run.boots.size() == run.node_of.size() && !run.boots[rank].empty()) return run.boots[rank];
  return fmt::format("node {}", run.node_of[rank]);
}

std::string names_of(const std::vector<std::string>& hosts) {
  constexpr std::size_t kMostNames = 3;
  if (hosts.size() <= kMostNames + 1) return fmt::format("{}", fmt::join(hosts, ", "));
  return fmt::format("{} and {} more", fmt::join(hosts.begin(), hosts.begin() + kMostNames, ", "),
                     hosts.size() - kMostNames);
}

}  // namespace

std::vector<RunMachine> machines_of(const Run& run) {
  std::vector<RunMachine> machines;
  std::vector<std::vector<bool>> cpus;  // [machines]
  std::vector<bool> all_known;
  std::map<std::string, std::size_t> known;
  for (std::uint32_t rank = 0; rank < run.node_of.size(); ++rank) {
    const auto [entry, is_new] = known.try_emplace(boot_or_node(run, rank), machines.size());
    if (is_new) {
      machines.emplace_back();
      cpus.emplace_back();
      all_known.push_back(run.bindings.size() == run.node_of.size());
    }
    const std::size_t at = entry->second;
    RunMachine& machine = machines[at];
    machine.ranks.push_back(rank);
    if (rank < run.hosts.size() && std::ranges::find(machine.hosts, run.hosts[rank]) == machine.hosts.end())
      machine.hosts.push_back(run.hosts[rank]);
    if (all_known[at]) all_known[at] = cpus_in(run.bindings[rank], cpus[at]) > 0;
  }
  for (std::size_t i = 0; i < machines.size(); ++i)
    if (all_known[i]) machines[i].cpus = static_cast<std::uint32_t>(std::ranges::count(cpus[i], true));
  return machines;
}

std::string sharing_of(const Run& run) {
  for (const RunMachine& machine : machines_of(run)) {
    if (!machine.shares_cores()) continue;
    std::string text =
        fmt::format("{} ranks share {} core{}", machine.ranks.size(), machine.cpus, machine.cpus == 1 ? "" : "s");
    if (machine.hosts.size() > 1) text += fmt::format(" of one machine ({})", names_of(machine.hosts));
    return text;
  }
  return "";
}

std::uint32_t cpus_in(const std::string& list, std::vector<bool>& into) {
  std::uint32_t count = 0;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    std::uint32_t first = 0, last = 0;
    auto [behind, error] = std::from_chars(at, end, first);
    if (error != std::errc() || first >= kMostCpus) return count;
    last = first;
    if (behind < end && *behind == '-') {
      const auto second = std::from_chars(behind + 1, end, last);
      if (second.ec != std::errc() || last < first || last >= kMostCpus) return count;
      behind = second.ptr;
    }
    if (into.size() <= last) into.resize(last + 1, false);
    for (std::uint32_t cpu = first; cpu <= last; ++cpu) into[cpu] = true;
    count += last - first + 1;
    at = behind < end && *behind == ',' ? behind + 1 : end;
  }
  return count;
}

}  // namespace plumbline::bench
