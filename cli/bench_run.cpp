#include <fmt/format.h>

#include <csignal>
#include <optional>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "base/text_file.hpp"
#include "bench/campaign/run.hpp"
#include "bench/campaign/schedule.hpp"
#include "bench/environment.hpp"
#include "cli/bench.hpp"
#include "cli/paths.hpp"
#include "example_campaign.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t is_to_stop = 0;

void note_stop(int) { is_to_stop = 1; }

bench::Catalogue catalogue_of(const std::vector<bench::Installed>& installed) {
  if (installed.empty())
    throw Error("", "no MPI to measure with", "build Plumbline with libopenmpi-dev or libmpich-dev installed",
                ExitCode::kCannotRunHere);
  return bench::ask_for_catalogue(installed.front().ranks);
}

bench::Surroundings surroundings_of(const std::vector<bench::Installed>& installed, std::uint32_t cores) {
  bench::Surroundings result{{}, cores};
  for (const bench::Installed& mpi : installed)
    if (!mpi.launcher.empty()) result.mpis.push_back(mpi.flavour);
  if (result.mpis.empty())
    for (const bench::Installed& mpi : installed) result.mpis.push_back(mpi.flavour);
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void print_what_would_run(const bench::Description& description) {
  const std::vector<bench::Start> starts = bench::starts_of(description);
  std::uint64_t requests = 0;
  double longest = 0;
  for (const bench::Start& start : starts)
    for (const bench::Request& request : bench::plan_of(description, start).requests) {
      ++requests;
      longest += request.effort.budget_s;
    }
  fmt::print("{} runs of {}: {} measurements, at most {:.0f} s of repetitions\n", starts.size(),
             joined(description.mpis), requests, longest);
}

int report(const bench::CampaignOutcome& outcome, const fs::path& result) {
  for (const std::string& note : outcome.notes) fmt::print(stderr, "plumbline: note: {}\n", note);
  if (outcome.contaminated > 0)
    fmt::print(stderr,
               "plumbline: {} of {} runs are contaminated: the machine was not quiet; why: plumbline bench show {}\n",
               outcome.contaminated, outcome.runs, result.string());
  const std::uint64_t missing = outcome.asked - outcome.measured - outcome.failed;
  if (outcome.failed > 0) fmt::print(stderr, "plumbline: {} measurements failed\n", outcome.failed);
  if (missing > 0)
    fmt::print(stderr, "plumbline: {} of {} measurements are missing{}; --resume asks for them again\n", missing,
               outcome.asked, outcome.interrupted ? ", it was stopped" : "");
  fmt::print("{}\n", result.string());
  return static_cast<int>(missing + outcome.failed > 0 ? ExitCode::kTooNoisy : ExitCode::kAsExpected);
}

bench::CampaignOutcome run_showing_progress(const bench::Description& description,
                                            const std::vector<bench::Installed>& installed,
                                            bench::CampaignOptions options) {
  std::optional<Progress> progress;
  options.progress = [&](std::uint64_t done, std::uint64_t all, std::string_view operation) {
    if (!progress) progress.emplace("measuring", all).tell_time_left();
    progress->update(done, operation);
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, note_stop);
  options.is_to_stop = [] { return is_to_stop != 0; };
  return bench::run_campaign(description, installed, options);
}

}  // namespace

int run_bench(const BenchRunOptions& options) {
  const std::string text =
      read_text_file(options.campaign, "name a campaign file; plumbline bench --example prints one");
  const std::vector<bench::Installed> installed = bench::installed_mpis();
  const std::uint32_t cores = bench::describe_environment(".").cores;
  bench::Catalogue catalogue = catalogue_of(installed);
  const bench::Description description =
      bench::parse_description(text, options.campaign.string(), catalogue, surroundings_of(installed, cores));
  for (const std::string& warning : bench::warnings_of(description, cores))
    fmt::print(stderr, "plumbline: warning: {}\n", warning);
  if (options.dry_run) {
    print_what_would_run(description);
    return 0;
  }
  bench::CampaignOptions run;
  run.result = !options.output.empty()     ? options.output
               : !description.name.empty() ? fs::path(description.name + ".h5")
                                           : fs::path(options.campaign.stem().string() + ".h5");
  run.resume = options.resume;
  run.force = options.force;
  require_distinct(run.result, {options.campaign});
  return report(run_showing_progress(description, installed, run), run.result);
}

int print_operations() {
  for (const bench::Operation& operation : catalogue_of(bench::installed_mpis()).operations) {
    fmt::print("{}: {}\n", operation.name, operation.summary);
    if (!operation.bytes.empty()) fmt::print("  size: {}\n", operation.bytes);
    if (operation.implementations.size() > 1) fmt::print("  implementations: {}\n", joined(operation.implementations));
    if (operation.least_ranks > 1) fmt::print("  from {} ranks on\n", operation.least_ranks);
    for (const bench::Parameter& parameter : operation.parameters)
      fmt::print("  {}{}: {}\n", parameter.name,
                 parameter.is_pattern()         ? ""
                 : parameter.by_default.empty() ? " (must be given)"
                                                : " = " + parameter.by_default,
                 parameter.summary);
  }
  return 0;
}

int print_example(const std::string& which) {
  fmt::print("{}", which == "machine" ? kMachineCampaign : kExampleCampaign);
  return 0;
}

}  // namespace plumbline::cli
