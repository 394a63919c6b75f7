#include "cli/workflows/validate/preflight/witnesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "base/node/consumers.hpp"
#include "base/node/interruptions.hpp"
#include "cli/workflows/validate/preflight/fact_sources.hpp"
#include "cli/workflows/validate/preflight/preflight.hpp"
#include "cli/workflows/validate/preflight/run_witnesses.hpp"
#include "cli/workflows/validate/session/archive_settings.hpp"
#include "replay/validate/witness/witness.hpp"
#include "replay/validate/witness/witness_input.hpp"

namespace plumbline::cli::validate {
namespace {

// Of the runs that were recorded; without one what the ranks have told at the start.
std::vector<replay::validate::ControlVariable> settings_in_force(const Session& session, const MpiResult& result) {
  std::vector<std::filesystem::path> archives;
  for (const SuiteResult& run : session.runs)
    if (run.mpi == result.mpi) archives.push_back(run.archive);
  if (!archives.empty()) return validate::settings_of(archives, result.mpi->installed.flavour);
  return result.ranks.empty() ? std::vector<replay::validate::ControlVariable>{}
                              : replay::validate::control_variables(result.ranks.front());
}

std::vector<replay::validate::NodeWitness> nodes_of(const Session& session) {
  std::vector<replay::validate::NodeWitness> nodes;
  auto interruptions = timed_interruptions(session);
  for (const auto& [host, settings] : session.settings) {
    replay::validate::NodeWitness witness{host, settings};
    const auto before = session.before.find(host), after = session.after.find(host);
    if (before != session.before.end() && after != session.after.end()) {
      witness.growth = node::growth(before->second, after->second);
      witness.consumers = node::seen_twice(node::consumers_in(before->second), node::consumers_in(after->second));
    }
    witness.noise = std::move(interruptions[host]);
    if (!session.mpis.empty())
      for (const node::RankIdentity& rank : session.mpis.front().ranks)
        if (rank.host == host) witness.affinities.push_back(rank.affinity);
    nodes.push_back(std::move(witness));
  }
  return nodes;
}

bool are_apart(const std::vector<node::RankIdentity>& ranks) {
  std::set<std::string> hosts;
  return ranks.size() > 1 &&
         std::ranges::all_of(ranks, [&](const auto& rank) { return hosts.insert(rank.host).second; });
}

void note_what_nobody_tells(Session& session) {
  for (const std::string_view check : checks_without_facts({session.settings, session.before}))
    session.could_not_run.try_emplace(std::string(check), "no node tells it");
  if (session.before.empty() || session.after.empty())
    session.could_not_run.try_emplace("cpu.interference", "no node tells it");
  const auto was_timed = [](const auto& node) { return node::interruptions_in(node.second).has_value(); };
  if (!std::ranges::any_of(session.before, was_timed) || !std::ranges::any_of(session.after, was_timed))
    session.could_not_run.try_emplace("cpu.noise", "no node tells it");
  for (const auto& [host, facts] : session.settings)
    for (const auto& [path, why] : facts.unreadable)
      session.validation.notes.push_back(fmt::format("node {}: {}: {}", host, path, why));
}

// What needs two nodes to be compared.
void note_what_one_node_cannot_tell(Session& session) {
  if (session.settings.size() > 1) return;
  for (const char* id :
       {"net.mtu.uniform", "net.link.speed", "net.link.rate", "net.latency", "net.backplane", "server.slow",
        "node.slow", "node.uniform.kernel", "node.uniform.mounts", "node.uniform.settings", "rule.loopback.network"})
    session.could_not_run.try_emplace(id, "there is one node only");
}

}  // namespace

void read_witnesses(Session& session) {
  try {
    read_counters_again(session);
  } catch (const Error& error) {
    session.validation.notes.push_back(fmt::format("counters at the end: {}", error.what()));
  }
  note_what_nobody_tells(session);
  note_what_one_node_cannot_tell(session);
  for (auto& each : replay::validate::witness({nodes_of(session), {}}))
    session.validation.observations.push_back(std::move(each));
  for (auto& each : growth_in_runs(session)) session.validation.observations.push_back(std::move(each));
  for (MpiResult& result : session.mpis) {
    result.settings = settings_in_force(session, result);
    result.observations = replay::validate::witness({{}, result.settings, are_apart(result.ranks)});
  }
}

std::map<std::string, std::vector<node::Interruptions>> timed_interruptions(const Session& session) {
  std::map<std::string, std::vector<node::Interruptions>> timed;
  for (const auto* const counters : {&session.before, &session.after})
    for (const auto& [host, facts] : *counters)
      if (const auto one = node::interruptions_in(facts)) timed[host].push_back(*one);
  return timed;
}

}  // namespace plumbline::cli::validate
