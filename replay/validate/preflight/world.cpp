#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "replay/validate/preflight/parts.hpp"

namespace plumbline::replay::validate {
namespace {

// Whose launcher it was, by the variables that it has left. A launcher inside a batch job leaves its own beside the
// batch system's.
struct Launcher {
  std::string name;     // "mpirun of Open MPI"; empty: not known
  std::string flavour;  // that it belongs to; empty: to none of them
};

Launcher launcher_of(const node::RankIdentity& rank) {
  if (rank.launched.contains("OMPI_COMM_WORLD_SIZE")) return {"mpirun of Open MPI", "openmpi"};
  const bool slurm =
      std::ranges::any_of(rank.launched, [](const auto& one) { return one.first.starts_with("SLURM_"); });
  if (rank.launched.contains("MPI_LOCALNRANKS")) return {"mpiexec of MPICH (hydra)", "mpich"};
  if (slurm) return {"srun", ""};
  if (rank.launched.contains("PMI_SIZE")) return {"mpiexec of MPICH (hydra)", "mpich"};
  return {};
}

// How many processes there should be, by the launcher that is nearest to the program: within a batch job it may start
// fewer than the job has.
std::uint64_t number_launched(const std::vector<node::RankIdentity>& ranks) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "FLUX_JOB_SIZE"})
    if (const auto number = ranks.front().launched.find(name); number != ranks.front().launched.end())
      return std::max<std::uint64_t>(number->second, ranks.size());
  return ranks.size();
}

std::vector<Datum> rows_of(const std::vector<node::RankIdentity>& ranks) {
  const node::RankIdentity& first = ranks.front();
  std::vector<Datum> rows = {{"processes", std::to_string(ranks.size()), ""},
                             {"size of MPI_COMM_WORLD", std::to_string(first.world_size), ""},
                             {"library", first.library, ""}};
  for (const auto& [name, number] : first.launched) rows.push_back({name, std::to_string(number), ""});
  return rows;
}

Remedy remedy_of_launcher(const std::string& flavour, std::uint64_t ranks) {
  Remedy remedy;
  const auto of = [&](const char* wanted) { return flavour.empty() || flavour == wanted; };
  if (of("openmpi"))
    remedy.openmpi = {fmt::format("mpirun.openmpi -n {} PROGRAM", ranks),
                      fmt::format("srun --mpi=pmix -n {} PROGRAM", ranks)};
  if (of("mpich"))
    remedy.mpich = {fmt::format("mpiexec.hydra -n {} PROGRAM", ranks),
                    fmt::format("srun --mpi=pmi2 -n {} PROGRAM", ranks)};
  return remedy;
}

// `none`: not one rank came through MPI_Init.
std::string cause_of_singletons(const Launcher& launcher, const node::RankIdentity& rank, bool none) {
  const std::string library = name_of_mpi(rank.flavour);
  if (none && !launcher.name.empty() && launcher.flavour == rank.flavour)
    return fmt::format("{} has not started under its own launcher; its words are in the log of the pre-flight",
                       library);
  if (launcher.name.empty() || launcher.flavour == rank.flavour)
    return fmt::format("the launcher and {}, which the program is linked with, do not know each other", library);
  if (launcher.flavour.empty())
    return fmt::format("{} has not offered an interface that {} knows", launcher.name, library);
  return fmt::format("{} has started a program that is linked with {}", launcher.name, library);
}

// Every process is rank 0 of 1 though several were started. Singletons of Open MPI that start at once may end each
// other in MPI_Init, where they make one session directory.
void judge_singletons(const PreFlightInput& input, Judgement& into) {
  const auto& ranks = input.ranks;
  const std::uint64_t launched = std::max<std::uint64_t>(number_launched(ranks), input.asked.ranks);
  const auto is_within = [&](std::uint32_t size) {
    return std::ranges::all_of(ranks, [&](const node::RankIdentity& rank) { return rank.world_size <= size; });
  };
  if (!is_within(1) || (launched < 2 && !is_within(0))) return;
  const std::string what = is_within(0) ? fmt::format("{}{} ranks came through MPI_Init", kNoneStarted, launched)
                                        : fmt::format("Every one of {} ranks is rank 0 of 1", launched);
  const Launcher launcher = launcher_of(ranks.front());
  Diagnosis& diagnosis = add_finding(
      into, "launch.world.size",
      launched < 2 ? what : fmt::format("{}: {}", what, cause_of_singletons(launcher, ranks.front(), is_within(0))),
      launcher.name.empty() ? "launcher" : launcher.name, {}, rows_of(ranks));
  diagnosis.fatal = true;
  diagnosis.remedy = remedy_of_launcher(ranks.front().flavour, launched);
}

void judge_size(const PreFlightInput& input, Judgement& into) {
  const auto& ranks = input.ranks;
  std::set<std::uint32_t> sizes, numbers;
  std::size_t stuck = 0;
  for (const node::RankIdentity& rank : ranks) {
    stuck += rank.world_size == 0 ? 1 : 0;
    sizes.insert(rank.world_size);
    numbers.insert(rank.world_rank);
  }
  const std::uint32_t size = *sizes.rbegin();
  std::string title;
  if (size <= 1) return;  // judge_singletons
  if (stuck != 0)
    title = fmt::format("{} of {} processes did not come through MPI_Init", stuck, ranks.size());
  else if (sizes.size() > 1 || numbers.size() < ranks.size())
    title = fmt::format("{} processes are in several worlds, the largest of {}", ranks.size(), size);
  else if (input.asked.ranks != 0 && size != input.asked.ranks)
    title = fmt::format("The world has {} ranks, {} were asked for", size, input.asked.ranks);
  if (!title.empty()) {
    add_finding(into, "launch.world.size", title, "launcher", {}, rows_of(ranks)).fatal = true;
    return;
  }
  if (numbers.size() < size)
    into.observations.push_back({"launch.world.size",
                                 fmt::format("{} of {} ranks have not said who they are: they could not write to the "
                                             "directory, or see another one under its name",
                                             size - numbers.size(), size),
                                 "launcher",
                                 {},
                                 rows_of(ranks)});
}

void judge_nodes(const PreFlightInput& input, Judgement& into) {
  std::vector<std::string> hosts;
  for (const NodeRanks& node : by_node(input.ranks)) hosts.push_back(node.host);
  if (input.asked.nodes <= hosts.size()) return;
  add_finding(into, "launch.world.size",
              fmt::format("The ranks are on {} of {} nodes: {}", hosts.size(), input.asked.nodes, some_of(hosts)),
              "nodes", hosts,
              {{"nodes asked for", std::to_string(input.asked.nodes), ""}, {"nodes", std::to_string(hosts.size()), ""}})
      .fatal = true;
}

}  // namespace

void judge_world(const PreFlightInput& input, Judgement& into) {
  if (input.ranks.empty()) {
    add_finding(into, "launch.world.size", "No rank has said that it was started", "launcher", {}, {}).fatal = true;
    return;
  }
  judge_singletons(input, into);
  judge_size(input, into);
  judge_nodes(input, into);
}

}  // namespace plumbline::replay::validate
