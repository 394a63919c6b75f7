// `plumbline bench guidelines`: measures what the table of guidelines asks for, and says what does not hold.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/quantity.hpp"
#include "bench/environment.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/rules/campaign.hpp"
#include "cli/file_kind.hpp"
#include "cli/verbs/bench/bench.hpp"
#include "cli/verbs/bench/campaign_run.hpp"
#include "cli/verbs/bench/guidelines_campaign.hpp"
#include "cli/verbs/bench/guidelines_outputs.hpp"
#include "cli/verbs/bench/guidelines_text.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTrials = 4;

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

std::vector<std::string> told(const bench::Proposal& proposal) {
  std::vector<std::string> lines;
  for (const std::string& line : proposal.lines) lines.push_back((lines.empty() ? "try " : "    ") + line);
  if (!proposal.why.empty()) lines.insert(lines.begin(), proposal.why);
  return lines;
}

bench::RuleOptions rule_options_of(const BenchGuidelinesOptions& options) {
  bench::RuleOptions rules;
  rules.least_ratio = options.ratio;
  rules.least_q = options.rate;
  rules.together = bench::TestsTogether::kCampaign;
  rules.within_runs = true;
  return rules;
}

// Each proposal is run where it was violated: MPI by MPI, layout by layout.
void try_proposals(const BenchGuidelinesOptions& options, const bench::RulesCampaign& campaign,
                   const std::vector<bench::Installed>& installed, const bench::Catalogue& catalogue,
                   std::uint32_t cores, const std::vector<bench::Trial>& all) {
  for (std::vector<bench::Trial>& trials : bench::by_layout(all)) {
    const Measured again =
        measure(bench::trial_text(trials, campaign), result_of_trials(options.output, trials.front()), installed,
                catalogue, cores, false, overwrite_of(options) == Overwrite::kYes);
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
  std::vector<PlacedProposal> proposals;
};

Found judge(const Measured& measured, const BenchGuidelinesOptions& options, const std::vector<bench::Rule>& table) {
  Found found{bench::judge_rules(measured.campaign, rule_options_of(options), table), {}, {}};
  found.tracks = bench::tracks_of(found.verdict, options.ratio);
  found.proposals = proposals_of(found.verdict, found.tracks, options.output, overwrite_of(options));
  return found;
}

void tell(const Measured& measured, const Found& found, const BenchGuidelinesOptions& options) {
  GuidelinesReport report{measured.campaign, found.verdict, found.tracks, rule_options_of(options), {}};
  for (const PlacedProposal& each : found.proposals) report.proposals.push_back(told(each.proposal));
  fmt::print("{}", guidelines_text(report));
  if (options.details) fmt::print("{}", guidelines_details(report));
  const Overwrite overwrite = overwrite_of(options);
  write_tuning_files(found.proposals);
  if (!options.csv.empty()) write_file(options.csv, guidelines_csv(report), overwrite);
  if (!options.plots.empty()) fmt::print("{}", write_plots(options.plots, found.verdict, found.tracks, overwrite));
}

void try_what_was_found(const Found& found, const BenchGuidelinesOptions& options, const bench::RulesCampaign& campaign,
                        const Site& site) {
  std::vector<bench::Proposal> proposals;
  for (const PlacedProposal& each : found.proposals) proposals.push_back(each.proposal);
  const std::vector<bench::Trial> trials = bench::trials_of(found.verdict, found.tracks, proposals, kMostTrials);
  if (trials.empty()) fmt::print("\nNothing is violated that the library has a setting for: nothing to try\n");
  try_proposals(options, campaign, site.installed, *site.catalogue, site.cores, trials);
}

// A text for the campaign; throws Error where the chosen guidelines have nothing to measure here.
std::string text_to_measure(const bench::RulesCampaign& campaign, const std::vector<bench::Rule>& table,
                            const bench::Catalogue& catalogue) {
  const std::vector<bench::RuleCell> cells = bench::cells_of(campaign, table, &catalogue);
  if (cells.empty()) throw nothing_to_measure(campaign, table);
  if (const std::vector<std::uint64_t> blocks = bench::left_out_blocks(campaign); !blocks.empty())
    fmt::print(stderr,
               "plumbline: note: blocks from {} on are left out, because those of all ranks are more than {}: --sizes "
               "measures them\n",
               format(Bytes{blocks.front()}), format(Bytes{campaign.largest_vector}));
  return bench::campaign_text_of(cells, campaign);
}

int run_guidelines(BenchGuidelinesOptions options, const Site& site, const std::vector<bench::Rule>& table) {
  const std::vector<std::string> mpis = surroundings_of(site.installed, site.cores).mpis;
  const bench::RulesCampaign campaign = guidelines_campaign(options, mpis, site.cores);
  if (options.from.empty() || options.try_proposals) require_mpis(campaign, site.installed);
  if (options.dry_run) {
    fmt::print("{}\n",
               what_would_run(bench::parse_description(text_to_measure(campaign, table, *site.catalogue), "guidelines",
                                                       *site.catalogue, surroundings_of(site.installed, site.cores))));
    return 0;
  }
  require_outputs(options, campaign.mpis);
  Measured measured;
  if (options.from.empty()) {
    const std::string text = text_to_measure(campaign, table, *site.catalogue);
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
  if (needs_mpi || !site.installed.empty())
    site.catalogue = catalogue_of(site.installed);
  else if (!options.list)
    fmt::print(
        stderr,
        "plumbline: note: no MPI is installed here, and only its ranks know the defaults of parameters: what was "
        "measured in several forms is judged only where a guideline gives all parameters that differ\n");
  const std::vector<bench::Rule> table = guidelines_table(options, site.catalogue ? &*site.catalogue : nullptr);
  if (options.list) {
    fmt::print("{}", guidelines_list(table));
    return 0;
  }
  return run_guidelines(options, site, table);
}

}  // namespace plumbline::cli
