#include "cli/workflows/validate/session/campaigns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/campaign/quiet.hpp"
#include "bench/campaign/run.hpp"
#include "bench/results/campaign_file.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

bench::RulesLevel level_of(Level level) {
  switch (level) {
    case Level::kQuick:
      return bench::RulesLevel::kQuick;
    case Level::kDefault:
      return bench::RulesLevel::kDefault;
    default:
      return bench::RulesLevel::kFull;
  }
}

// Repetitions of a size: a message between nodes takes long against what disturbs it.
constexpr std::uint32_t kLeastBetweenNodes = 20;

// B/s; 0 where the platform has no links.
double slowest_link(const hw::Platform& platform) {
  double slowest = 0;
  for (const hw::Edge& edge : platform.edges)
    if (const double rate = static_cast<double>(edge.rate.value.count); slowest == 0 || rate < slowest) slowest = rate;
  return slowest;
}

}  // namespace

std::vector<fs::path> measured_directories(const Options& options) {
  std::vector<fs::path> directories;
  for (const fs::path& each : options.io.empty() ? std::vector<fs::path>{"."} : options.io) {
    const fs::path normal = fs::absolute(each).lexically_normal();
    directories.push_back(normal.has_filename() ? normal : normal.parent_path());
  }
  return directories;
}

fs::path storage_directory(const Session& session) { return measured_directories(session.options).front(); }

std::string words_joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

bench::RulesCampaign rules_campaign_on(const Session& session, const MpiResult& result) {
  const Mpi& mpi = *result.mpi;
  bench::RulesCampaign rules = bench::rules_campaign(level_of(session.options.level));
  rules.mpis = {mpi.installed.flavour};
  rules.nodes = mpi.layout.nodes;
  rules.per_node = std::max(mpi.layout.per_node, mpi.layout.nodes > 1 ? 1U : 2U);
  rules.hosts = mpi.layout.hosts;
  rules.launcher = words_joined(mpi.layout.launcher);
  rules.directory = storage_directory(session).string();
  if (rules.nodes > 1) {
    rules.least = kLeastBetweenNodes;
    if (session.options.level == Level::kQuick) rules.accesses.resize(1);
    if (!result.platform.empty()) rules.link_rate = slowest_link(hw::read_platform(result.platform));
  }
  return rules;
}

bench::CampaignOutcome run_campaign_for_places(Session& session, const std::string& text, const std::string& name,
                                               const fs::path& result, double planned_seconds) {
  const std::vector<bench::Installed> installed = bench::installed_mpis();
  const bench::Catalogue catalogue = bench::ask_for_catalogue(installed.front().ranks);
  bench::Surroundings surroundings{{}, session.site.cores};
  for (const bench::Installed& each : installed) surroundings.mpis.push_back(each.flavour);
  const bench::Description description = bench::parse_description(text, name, catalogue, surroundings);
  bench::CampaignOptions options;
  options.result = result;
  options.force = true;
  options.load_is_ours = true;  // by the stages before
  options.is_to_stop = is_interrupted;
  options.progress = [&](std::uint64_t done, std::uint64_t all, std::string_view) {
    session.part_of_step(planned_seconds, all == 0 ? 0 : static_cast<double>(done) / static_cast<double>(all));
  };
  bench::CampaignOutcome outcome = bench::run_campaign(description, installed, options);
  if (outcome.interrupted) {
    std::error_code ignored;
    fs::remove(result, ignored);  // --resume measures it again
    throw Interrupted{};
  }
  return outcome;
}

bench::Campaign run_campaign(Session& session, const std::string& text, const std::string& name, const fs::path& result,
                             double planned_seconds) {
  const auto outcome = run_campaign_for_places(session, text, name, result, planned_seconds);
  for (const std::string& note : outcome.notes) session.validation.notes.push_back(fmt::format("{}: {}", name, note));
  bench::Campaign campaign = bench::read_campaign(result);
  note_disturbances(session, campaign, name);
  return campaign;
}

std::string disturbed_runs(const bench::Campaign& campaign, std::string_view name, bool by_others) {
  const auto is_meant = [&](const std::string& why) { return bench::is_use_by_others(why) == by_others; };
  std::size_t count = 0;
  std::string first;
  for (const bench::Run& run : campaign.runs) {
    const auto why = std::ranges::find_if(run.disturbances, is_meant);
    if (why != run.disturbances.end() && count++ == 0) first = *why;
  }
  if (count == 0) return {};
  return fmt::format("{} in {} of {} runs of the {}: {}",
                     by_others ? "others used the machine" : "ranks lost their cores for moments", count,
                     campaign.runs.size(), name, count == 1 ? first : first + ", in the first of them");
}

void note_disturbances(Session& session, const bench::Campaign& campaign, std::string_view name) {
  if (const std::string others = disturbed_runs(campaign, name, true); !others.empty()) session.disturbed(others);
  if (const std::string cores = disturbed_runs(campaign, name, false); !cores.empty())
    session.validation.notes.push_back(cores);
}

}  // namespace plumbline::cli::validate
