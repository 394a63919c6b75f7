#include "replay/validate/preflight/preflight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "replay/validate/preflight/parts.hpp"

namespace plumbline::replay::validate {

std::vector<NodeRanks> by_node(const std::vector<node::RankIdentity>& ranks) {
  std::vector<NodeRanks> nodes;
  for (const node::RankIdentity& rank : ranks) {
    const auto same = std::ranges::find_if(nodes, [&](const NodeRanks& node) {
      return node.host == rank.host && node.ranks.front()->boot_id == rank.boot_id;
    });
    if (same != nodes.end())
      same->ranks.push_back(&rank);
    else
      nodes.push_back({rank.host, {&rank}});
  }
  return nodes;
}

std::string name_of_mpi(std::string_view flavour) {
  if (flavour == "openmpi") return "Open MPI";
  if (flavour == "mpich") return "MPICH";
  return std::string(flavour);
}

std::string some_of(const std::vector<std::string>& texts, std::size_t most) {
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i) all += (i == 0 ? "" : ", ") + texts[i];
  return texts.size() <= most ? all : fmt::format("{} and {} more", all, texts.size() - most);
}

Diagnosis& add_finding(Judgement& into, std::string_view id, std::string title, std::string component,
                       std::vector<std::string> places, std::vector<Datum> rows) {
  Observation& seen = into.observations.emplace_back();
  seen.id = id;
  seen.text = title;
  seen.component = component;
  seen.places = places;
  seen.rows = rows;
  seen.explained = true;
  Diagnosis& diagnosis = into.diagnoses.emplace_back();
  diagnosis.id = id;
  diagnosis.title = std::move(title);
  diagnosis.component = std::move(component);
  diagnosis.places = std::move(places);
  diagnosis.reference = Reference::kWitness;
  diagnosis.confidence = Confidence::kCertain;
  diagnosis.evidence = std::move(rows);
  return diagnosis;
}

namespace {

// Ranks that share memory do not come through MPI_Init where there is none, whoever has launched them.
void fold_memory_into_launch(std::vector<Diagnosis>& diagnoses) {
  const auto memory = std::ranges::find(diagnoses, "node.shm.size", &Diagnosis::id);
  const auto launch = std::ranges::find_if(diagnoses, [](const Diagnosis& each) {
    return each.id == "launch.world.size" && each.title.starts_with(kNoneStarted);
  });
  if (memory == diagnoses.end() || launch == diagnoses.end()) return;
  launch->title = fmt::format("{}: {}", launch->title.substr(0, launch->title.find(':')), memory->title);
  launch->component = memory->component;
  launch->places = memory->places;
  launch->remedy = memory->remedy;
  launch->evidence.insert(launch->evidence.end(), memory->evidence.begin(), memory->evidence.end());
  diagnoses.erase(memory);
}

}  // namespace

Judgement pre_flight(const PreFlightInput& input) {
  Judgement judgement;
  judge_world(input, judgement);
  judge_binding(input, judgement);
  judge_cores(input, judgement);
  judge_shared_memory(input, judgement);
  judge_session(input, judgement);
  judge_uniformity(input, judgement);
  judge_fast_network(input, judgement);
  judge_build(input, judgement);
  fold_memory_into_launch(judgement.diagnoses);
  const std::string mpi = input.ranks.empty() ? "" : input.ranks.front().flavour;
  for (Diagnosis& diagnosis : judgement.diagnoses) diagnosis.mpi = mpi;
  std::ranges::stable_partition(judgement.diagnoses, &Diagnosis::fatal);
  return judgement;
}

}  // namespace plumbline::replay::validate
