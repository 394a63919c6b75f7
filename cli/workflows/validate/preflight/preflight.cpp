#include "cli/workflows/validate/preflight/preflight.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/preflight/judgement.hpp"
#include "replay/validate/preflight/preflight.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using replay::validate::Diagnosis;

constexpr double kSecondsOfStart = 3, kPatienceOfStart = 60;

std::vector<fs::path> files_with(const fs::path& directory, std::string_view prefix) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(directory, failed))
    if (entry.path().extension() == ".json" && entry.path().filename().string().starts_with(prefix))
      files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

struct Identified {
  std::vector<node::RankIdentity> ranks;  // that came up; each has written a file of its own
  std::string failure;                    // of the launcher; "": none
};

Identified identify(const Session& session, const Mpi& mpi, const fs::path& directory) {
  std::error_code failed;
  fs::remove_all(directory, failed);
  fs::create_directories(directory);
  std::vector<std::string> arguments{"--identify", fs::absolute(directory).string()};
  for (const fs::path& io : measured_directories(session.options)) arguments.push_back(io.string());
  const bench::Launch launch = launch_on(session.site, mpi, mpi.installed.ranks, std::move(arguments));
  const fs::path log = session.log("preflight-" + mpi.installed.flavour);
  const JobEnd end = run_job({launch.command, launch.environment, log, kPatienceOfStart});
  Identified result;
  if (!end.failure.empty()) result.failure = end.failure + ": " + tail_of(log);
  for (const fs::path& file : files_with(directory, "rank-"))
    result.ranks.push_back(node::identity_from_json(read_text_file(file, "start again"), file.string()));
  std::ranges::stable_sort(result.ranks, {}, &node::RankIdentity::world_rank);
  return result;
}

[[noreturn]] void fail_to_start(const Session& session, const Mpi& mpi, const std::string& failure) {
  throw Error(mpi.installed.flavour,
              fmt::format("the ranks could not be started ({}): {}", session.site.launcher_from,
                          failure.empty() ? "none has told who it is; do all nodes see the directory?" : failure),
              "try the launcher by hand; see " + session.log("preflight-" + mpi.installed.flavour).string(),
              ExitCode::kCannotRunHere);
}

std::map<std::string, node::Facts> read_nodes(const fs::path& directory, std::string_view prefix) {
  std::map<std::string, node::Facts> nodes;
  for (const fs::path& file : files_with(directory, prefix)) {
    const std::string stem = file.stem().string();
    nodes[stem.substr(prefix.size())] = node::facts_from_json(read_text_file(file, "start again"), file.string());
  }
  return nodes;
}

// With what was timed of noise.
std::map<std::string, node::Facts> read_counters_of_nodes(const fs::path& directory) {
  std::map<std::string, node::Facts> counters = read_nodes(directory, "counters-");
  for (auto& [host, noise] : read_nodes(directory, "noise-"))
    if (const auto node = counters.find(host); node != counters.end()) node->second.facts.merge(noise.facts);
  return counters;
}

// What it does not see with one MPI it may see with the other; the same finding of both is one.
void add_judgement(Session& session, const replay::validate::Judgement& judgement) {
  auto& validation = session.validation;
  std::vector<Diagnosis> diagnoses = judgement.diagnoses;
  for (Diagnosis& each : diagnoses)
    if (each.remedy == replay::validate::Remedy{})
      if (const auto* check = replay::validate::find_check(each.id)) each.remedy = replay::validate::remedy_of(*check);
  const auto add_new = [](auto& to, const auto& from) {
    for (const auto& each : from)
      if (std::ranges::none_of(
              to, [&](const auto& known) { return known.id == each.id && known.component == each.component; }))
        to.push_back(each);
  };
  add_new(validation.diagnoses, diagnoses);
  add_new(validation.observations, judgement.observations);
}

// Nodes of the layout as they turned out: a launcher of the user's own starts as many ranks as it likes.
void take_layout(Mpi& mpi, const std::vector<node::RankIdentity>& ranks) {
  if (mpi.layout.launcher.empty()) return;
  std::map<std::string, std::uint32_t> of_host;
  for (const node::RankIdentity& rank : ranks) ++of_host[rank.host];
  std::uint32_t most = 1;
  for (const auto& [host, count] : of_host) most = std::max(most, count);
  mpi.layout.nodes = static_cast<std::uint32_t>(of_host.size());
  mpi.layout.per_node = most;
}

void check_mpi(Session& session, MpiResult& result) {
  const std::string& flavour = result.mpi->installed.flavour;
  session.begin_step("pre-flight, " + flavour);
  const fs::path directory = session.directory / "preflight" / flavour;
  Identified identified = identify(session, *result.mpi, directory);
  if (identified.ranks.empty()) fail_to_start(session, *result.mpi, identified.failure);
  result.ranks = std::move(identified.ranks);
  replay::validate::PreFlightInput input;
  input.ranks = result.ranks;
  for (auto& [host, facts] : read_nodes(directory, "node-")) {
    session.settings[host] = facts;
    input.nodes.push_back({host, std::move(facts)});
  }
  for (auto& [host, facts] : read_counters_of_nodes(directory)) session.before[host] = std::move(facts);
  if (result.mpi->layout.launcher.empty()) input.asked = {result.mpi->layout.ranks(), result.mpi->layout.nodes};
  const replay::validate::Judgement judgement = replay::validate::pre_flight(input);
  const bool is_explained = std::ranges::any_of(judgement.diagnoses, &Diagnosis::fatal);
  if (!identified.failure.empty() && !is_explained) fail_to_start(session, *result.mpi, identified.failure);
  add_judgement(session, judgement);
  take_layout(*result.mpi, result.ranks);
  session.end_step(kSecondsOfStart);
}

}  // namespace

bool check_start(Session& session) {
  for (MpiResult& result : session.mpis) check_mpi(session, result);
  return std::ranges::none_of(session.validation.diagnoses, [](const Diagnosis& each) { return each.fatal; });
}

void end_where_nothing_runs(Session& session, std::string_view stage, const Mpi& mpi) {
  const auto end = [&](const Error& error) {
    session.is_over = true;
    session.stage_faults.erase(std::string(stage));  // what comes first is a consequence
    session.part_failed(stage, error);
  };
  try {
    require_some_room(session.needs);
  } catch (const Error& error) {
    return end(error);
  }
  const auto result = std::ranges::find(session.mpis, &mpi, [](const MpiResult& each) { return each.mpi; });
  const Identified now = identify(session, mpi, session.directory / "preflight" / (mpi.installed.flavour + "-again"));
  if (result == session.mpis.end() || (now.failure.empty() && now.ranks.size() >= result->ranks.size())) return;
  end(Error(mpi.installed.flavour,
            fmt::format("{} of {} ranks start now{}{}", now.ranks.size(), result->ranks.size(),
                        now.failure.empty() ? "" : ": ", now.failure),
            "see that all nodes are there, and go on with --resume", ExitCode::kCannotRunHere));
}

void read_counters_again(Session& session) {
  const Mpi& mpi = session.site.mpis.front();
  const fs::path directory = session.directory / "preflight" / "afterwards";
  identify(session, mpi, directory);
  session.after = read_counters_of_nodes(directory);
}

}  // namespace plumbline::cli::validate
