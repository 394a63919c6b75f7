#include "cli/verbs/bench/campaign_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <optional>

#include "base/error.hpp"
#include "base/progress.hpp"
#include "bench/campaign/schedule.hpp"

namespace plumbline::cli {
namespace {

volatile std::sig_atomic_t is_to_stop = 0;

void note_stop(int) { is_to_stop = 1; }

}  // namespace

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

std::string what_would_run(const bench::Description& description) {
  const std::vector<bench::Start> starts = bench::starts_of(description);
  std::uint64_t requests = 0;
  double longest = 0;
  for (const bench::Start& start : starts)
    for (const bench::Request& request : bench::plan_of(description, start).requests) {
      ++requests;
      longest += request.effort.budget_s;
    }
  return fmt::format("{} runs of {}: {} measurements, at most {:.0f} s of repetitions", starts.size(),
                     fmt::join(description.mpis, ", "), requests, longest);
}

bool tell_outcome(const bench::CampaignOutcome& outcome, const std::string& result) {
  for (const std::string& note : outcome.notes) fmt::print(stderr, "plumbline: note: {}\n", note);
  if (outcome.contaminated > 0)
    fmt::print(stderr,
               "plumbline: {} of {} runs are contaminated: the machine was not quiet; why: plumbline bench show {}\n",
               outcome.contaminated, outcome.runs, result);
  const std::uint64_t missing = outcome.asked - outcome.measured - outcome.failed;
  if (outcome.failed > 0) fmt::print(stderr, "plumbline: {} measurements failed\n", outcome.failed);
  if (missing > 0)
    fmt::print(stderr, "plumbline: {} of {} measurements are missing{}; --resume asks for them again\n", missing,
               outcome.asked, outcome.interrupted ? ", it was stopped" : "");
  return missing + outcome.failed == 0;
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

}  // namespace plumbline::cli
