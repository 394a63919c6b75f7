// `plumbline bench guidelines`: measures what the table of guidelines asks for, and says what does not hold.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/output.hpp"
#include "bench/environment.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/rules/plots.hpp"
#include "cli/bench.hpp"
#include "cli/campaign_run.hpp"
#include "cli/file_kind.hpp"
#include "cli/guidelines_campaign.hpp"
#include "cli/guidelines_text.hpp"
#include "cli/paths.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictures = 24, kMostTrials = 4;

struct Measured {
  bench::Campaign campaign;
  bool whole = true, interrupted = false;
};

Measured measure(const std::string& text, const fs::path& result, const std::vector<bench::Installed>& installed,
                 const bench::Catalogue& catalogue, std::uint32_t cores, bool resume, bool force) {
  const bench::Description description =
      bench::parse_description(text, "guidelines", catalogue, surroundings_of(installed, cores));
  for (const std::string& warning : bench::warnings_of(description, cores))
    fmt::print(stderr, "plumbline: warning: {}\n", warning);
  bench::CampaignOptions run;
  run.result = result;
  run.resume = resume;
  run.force = force;
  const bench::CampaignOutcome outcome = run_showing_progress(description, installed, run);
  const bool whole = tell_outcome(outcome, result.string());
  return {bench::read_campaign(result), whole, outcome.interrupted};
}

bench::Campaign earlier(const fs::path& path) {
  if (const FileKind kind = kind_of(path); kind != FileKind::kCampaign)
    throw Error(path.string(), fmt::format("is {}, not the result of a campaign", name_of(kind)),
                "name what `plumbline bench guidelines -o` wrote");
  return bench::read_campaign(path);
}

// --- What is made of it

fs::path beside(const fs::path& result, const std::string& ending) {
  return result.parent_path() / (result.stem().string() + ending);
}

// A tuning file for each proposal that has one, beside the result. [tracks]; empty for what is not violated.
std::vector<bench::Proposal> proposals_of(const bench::RulesVerdict& verdict,
                                          const std::vector<bench::GuidelineTrack>& tracks, const fs::path& result) {
  std::vector<bench::Proposal> proposals(tracks.size());
  std::size_t files = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (!tracks[i].violated) continue;
    proposals[i] = bench::proposal_for(tracks[i], verdict);
    if (proposals[i].file.empty()) continue;
    const fs::path path = fs::absolute(beside(result, fmt::format("-tuning-{}.conf", ++files)));
    write_file(path.string(), proposals[i].file, Overwrite::kYes);
    proposals[i].lines = bench::lines_with(proposals[i], path.string());
  }
  return proposals;
}

std::vector<std::string> told(const bench::Proposal& proposal) {
  std::vector<std::string> lines;
  for (const std::string& line : proposal.lines) lines.push_back((lines.empty() ? "try " : "    ") + line);
  if (!proposal.why.empty()) lines.insert(lines.begin(), proposal.why);
  return lines;
}

void write_plots(const fs::path& directory, const bench::RulesVerdict& verdict,
                 const std::vector<bench::GuidelineTrack>& tracks) {
  fs::create_directories(directory);
  std::size_t number = 0;
  for (const bench::GuidelineTrack& track : tracks) {
    if (!track.violated && track.artefacts == 0) continue;
    if (++number > kMostPictures) break;
    const std::string name = fmt::format("{:02}-{}-{}", number, track.mpi, track.rule->id);
    const std::string overview = bench::overview_plot(track, verdict),
                      focus = bench::focus_plot(track, verdict.outcomes[*track.worst]);
    if (!overview.empty()) write_file((directory / (name + "-overview.svg")).string(), overview, Overwrite::kYes);
    if (!focus.empty()) write_file((directory / (name + "-focus.svg")).string(), focus, Overwrite::kYes);
  }
  fmt::print("{} in {}\n", number == 0 ? "nothing is violated, and no picture is" : "pictures are", directory.string());
}

bench::RuleOptions rule_options_of(const BenchGuidelinesOptions& options) {
  bench::RuleOptions rules;
  rules.least_ratio = options.ratio;
  rules.least_q = options.rate;
  rules.together = bench::TestsTogether::kCampaign;
  rules.within_runs = true;
  return rules;
}

// Each proposal is run, MPI by MPI.
void try_proposals(const BenchGuidelinesOptions& options, bench::RulesCampaign campaign,
                   const std::vector<bench::Installed>& installed, const bench::Catalogue& catalogue,
                   std::uint32_t cores, std::vector<bench::Trial> all) {
  std::vector<std::string> mpis;
  for (const bench::Trial& trial : all)
    if (std::ranges::find(mpis, trial.mpi) == mpis.end()) mpis.push_back(trial.mpi);
  for (const std::string& mpi : mpis) {
    std::vector<bench::Trial> trials;
    for (const bench::Trial& trial : all)
      if (trial.mpi == mpi) trials.push_back(trial);
    campaign.mpis = {mpi};
    const Measured again = measure(bench::trial_text(trials, campaign), beside(options.output, "-try-" + mpi + ".h5"),
                                   installed, catalogue, cores, false, true);
    bench::judge_trials(again.campaign, options.ratio, trials);
    fmt::print("{}", trials_text(trials));
    if (again.interrupted) return;
  }
}

int exit_status(const bench::RulesVerdict& verdict, const std::vector<bench::GuidelineTrack>& tracks, bool whole,
                double rate) {
  if (std::ranges::any_of(tracks, &bench::GuidelineTrack::violated)) return static_cast<int>(ExitCode::kFindings);
  // What all of the tests together could not have shown.
  const bool blind = least_p(verdict) > rate;
  return static_cast<int>(whole && !blind ? ExitCode::kAsExpected : ExitCode::kTooNoisy);
}

// Who measures, and with what.
struct Site {
  std::vector<bench::Installed> installed = bench::installed_mpis();
  std::uint32_t cores = bench::describe_environment(".").cores;
  std::optional<bench::Catalogue> catalogue = {};  // nothing where there is no MPI
};

struct Found {
  bench::RulesVerdict verdict;
  std::vector<bench::GuidelineTrack> tracks;
  std::vector<bench::Proposal> proposals;
};

Found judge(const Measured& measured, const BenchGuidelinesOptions& options, const std::vector<bench::Rule>& table) {
  Found found{bench::judge_rules(measured.campaign, rule_options_of(options), table), {}, {}};
  found.tracks = bench::tracks_of(found.verdict, options.ratio);
  found.proposals = proposals_of(found.verdict, found.tracks, options.output);
  return found;
}

void tell(const Measured& measured, const Found& found, const BenchGuidelinesOptions& options) {
  GuidelinesReport report{measured.campaign, found.verdict, found.tracks, rule_options_of(options), {}};
  for (const bench::Proposal& proposal : found.proposals) report.proposals.push_back(told(proposal));
  fmt::print("{}", guidelines_text(report));
  if (options.details) fmt::print("{}", guidelines_details(report));
  if (!options.csv.empty()) write_file(options.csv.string(), guidelines_csv(report), Overwrite::kYes);
  if (!options.plots.empty()) write_plots(options.plots, found.verdict, found.tracks);
}

void try_what_was_found(const Found& found, const BenchGuidelinesOptions& options, const bench::RulesCampaign& campaign,
                        const Site& site) {
  const std::vector<bench::Trial> trials = bench::trials_of(found.verdict, found.tracks, found.proposals, kMostTrials);
  if (trials.empty()) fmt::print("\nNothing is violated that the library has a setting for: nothing to try\n");
  try_proposals(options, campaign, site.installed, *site.catalogue, site.cores, trials);
}

int run_guidelines(BenchGuidelinesOptions options, const Site& site, const std::vector<bench::Rule>& table) {
  const std::vector<std::string> mpis = surroundings_of(site.installed, site.cores).mpis;
  const bench::RulesCampaign campaign = guidelines_campaign(options, mpis, site.cores);
  if (options.from.empty() || options.try_proposals) require_mpis(campaign, site.installed);
  const std::string text = bench::campaign_text(campaign, table);
  if (options.dry_run) {
    fmt::print("{}\n", what_would_run(bench::parse_description(text, "guidelines", *site.catalogue,
                                                               surroundings_of(site.installed, site.cores))));
    return 0;
  }
  Measured measured;
  if (options.from.empty()) {
    require_distinct(options.output, {options.table});
    fmt::print(stderr, "plumbline: order by seed {}\n", options.seed);
    measured =
        measure(text, options.output, site.installed, *site.catalogue, site.cores, options.resume, options.force);
  } else {
    measured.campaign = earlier(options.from);
    options.output = options.from;
  }
  const Found found = judge(measured, options, table);
  tell(measured, found, options);
  if (options.try_proposals && !measured.interrupted) try_what_was_found(found, options, campaign, site);
  return exit_status(found.verdict, found.tracks, measured.whole, options.rate);
}

}  // namespace

int bench_guidelines(const BenchGuidelinesOptions& options) {
  if (options.example) {
    fmt::print("{}", bench::built_in_guidelines_text());
    return 0;
  }
  Site site;
  // What was measured can be looked at where there is no MPI.
  const bool needs_mpi = options.from.empty() || options.try_proposals || options.dry_run;
  if (needs_mpi || !site.installed.empty()) site.catalogue = catalogue_of(site.installed);
  const std::vector<bench::Rule> table = guidelines_table(options, site.catalogue ? &*site.catalogue : nullptr);
  if (options.list) {
    fmt::print("{}", guidelines_list(table));
    return 0;
  }
  return run_guidelines(options, site, table);
}

}  // namespace plumbline::cli
