#include "bench/campaign/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/quantity.hpp"
#include "bench/campaign/gathered.hpp"
#include "bench/campaign/quiet.hpp"
#include "bench/campaign/watch.hpp"
#include "bench/environment.hpp"
#include "bench/results/campaign_file.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kMostFailures = 5;                // of one start, before the rest of it is given up
constexpr double kPatienceOfBudgets = 3, kPatience = 60;  // times the longest budget; and seconds for what has none

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string name_of(const Request& request) {
  std::string text = request.operation;
  if (request.implementation != "library") text += fmt::format(" ({})", request.implementation);
  if (request.sizes != std::vector<std::uint64_t>{0}) text += " of " + format(Bytes{request.sizes.front()});
  return text;
}

class Runner {
 public:
  Runner(const Description& description, const std::vector<Installed>& installed, const CampaignOptions& options,
         Parts& parts)
      : description_(description),
        options_(options),
        parts_(parts),
        starts_(starts_of(description)),
        own_load_(options.load_is_ours ? load_average() : 0) {
    for (const std::string& mpi : description.mpis)
      installed_.push_back(*std::ranges::find(installed, mpi, &Installed::flavour));
    gathered_.done.resize(starts_.size());
    gathered_.failed.resize(starts_.size());
    given_up_.resize(starts_.size());
    for (const Start& start : starts_) asked_ += plan_of(description, start).requests.size();
  }

  void begin(const Campaign& campaign) { gathered_.campaign = campaign; }

  // What earlier programs measured.
  void take_up() {
    for (Attempt& attempt : parts_.attempts()) {
      if (attempt.start >= starts_.size())
        throw Error("", "what was measured is of another campaign", "begin again with --force");
      if (!attempt.ended) parts_.part_from_writer(attempt);
      gather(parts_, attempt, description_, starts_, gathered_);
      next_ = attempt.number + 1;
    }
    measured_ = count(gathered_.done);
  }

  CampaignOutcome run() {
    const ProcessorTime before = processor_time();
    for (std::uint32_t start = 0; start < starts_.size() && !stopped_; ++start) run_start(start);
    Campaign& campaign = gathered_.campaign;
    campaign.environment.stolen = stolen_since(before);
    campaign.environment.load_after = load_average();
    if (campaign.runs.empty() && !stopped_) fail();
    write();
    const std::uint64_t failed = count(gathered_.failed);
    CampaignOutcome outcome{asked_, measured_ - failed, failed, campaign.runs.size(), 0, stopped_, campaign.notes};
    for (const Run& each : campaign.runs) outcome.contaminated += each.disturbances.empty() ? 0 : 1;
    return outcome;
  }

 private:
  static std::uint64_t count(const std::vector<std::set<std::uint32_t>>& sets) {
    std::uint64_t all = 0;
    for (const auto& each : sets) all += each.size();
    return all;
  }

  static double stolen_since(const ProcessorTime& before) {
    const ProcessorTime after = processor_time();
    return after.all > before.all ? (after.stolen - before.stolen) / (after.all - before.all) : 0;
  }

  [[noreturn]] void fail() {
    parts_.remove();
    const std::vector<std::string>& notes = gathered_.campaign.notes;
    throw Error("", "no run could be started: " + (notes.empty() ? std::string("nothing to do") : notes.front()),
                "check that the launcher runs any program", ExitCode::kCannotRunHere);
  }

  void write() { write_campaign(gathered_.campaign, options_.result, Overwrite::kYes); }

  std::vector<std::uint32_t> missing_of(std::uint32_t start, const Plan& plan) const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < plan.requests.size(); ++i)
      if (!gathered_.done[start].contains(i) && !given_up_[start].contains(i)) result.push_back(i);
    return result;
  }

  void run_start(std::uint32_t start) {
    const Start& which = starts_[start];
    const Plan plan = plan_of(description_, which);
    std::uint32_t failures = 0;
    while (!stopped_) {
      if (options_.is_to_stop && options_.is_to_stop()) stopped_ = true;
      const std::vector<std::uint32_t> missing = missing_of(start, plan);
      if (missing.empty() || stopped_) return;
      if (never_began_.contains({which.mpi, which.layout})) return;
      if (!run_attempt(start, plan, missing)) ++failures;
      if (failures == kMostFailures) {
        gathered_.campaign.notes.push_back(
            fmt::format("{}: failed {} times, the rest of it is left out", text_of(which), failures));
        return;
      }
    }
  }

  // Whether the ranks came to their end.
  bool run_attempt(std::uint32_t start, const Plan& plan, const std::vector<std::uint32_t>& missing) {
    const Start& which = starts_[start];
    Attempt attempt{next_++, start, missing};
    Plan asked{plan.seed, {}};
    for (const std::uint32_t i : missing) asked.requests.push_back(plan.requests[i]);
    write_plan(asked, parts_.plan(attempt));
    rest();
    attempt.load_before = load_average();
    attempt.own_load = own_load_.value();
    attempt.boot = boot_id();
    parts_.save(attempt);
    const ProcessorTime before = processor_time();
    const Clock::time_point begin = Clock::now();
    RunQueue run_queue;
    const Ending ending = start_ranks(attempt, which, asked, run_queue);
    own_load_.ran(seconds_since(begin), description_.layouts[which.layout].ranks());
    rested_since_ = Clock::now();
    attempt.stolen = stolen_since(before);
    attempt.load_after = load_average();
    attempt.run_queue = run_queue.mean();
    stopped_ = ending.interrupted;
    const bool began = conclude(attempt, which, plan, ending);
    return began && ending.failure.empty();
  }

  void rest() {
    own_load_.rested(seconds_since(rested_since_));
    rested_since_ = Clock::now();
  }

  Ending start_ranks(const Attempt& attempt, const Start& which, const Plan& asked, RunQueue& run_queue) {
    const Launch launch =
        launch_of(installed_[which.mpi], description_.layouts[which.layout], gathered_.campaign.environment.cores,
                  {fs::absolute(parts_.plan(attempt)).string(), fs::absolute(parts_.stream(attempt)).string()});
    double longest = 0;
    for (const Request& request : asked.requests) longest = std::max(longest, request.effort.budget_s);
    Watch how{parts_.stream(attempt), parts_.log(attempt), description_.patience_s, {},
              options_.is_to_stop,    &run_queue};
    if (how.patience_s == 0) how.patience_s = kPatienceOfBudgets * longest + kPatience;
    how.progress = [this, &asked](std::uint32_t done) {
      const bool is_known = done > 0 && done <= asked.requests.size();
      const std::string_view operation = is_known ? asked.requests[done - 1].operation : std::string_view();
      if (options_.progress) options_.progress(measured_ + done, asked_, operation);
    };
    try {
      return watch(launch, how);
    } catch (const Error& error) {
      return {false, error.what()};
    }
  }

  // Reads what came, says what did not, and keeps both. Whether the ranks began.
  bool conclude(Attempt& attempt, const Start& which, const Plan& plan, const Ending& ending) {
    attempt.ended = true;
    const bool began = gather(parts_, attempt, description_, starts_, gathered_);
    measured_ = count(gathered_.done);
    if (!began && !ending.interrupted) {
      attempt.notes.push_back(fmt::format("{}: did not begin to measure{}", text_of(which),
                                          ending.failure.empty() ? "" : ": " + ending.failure));
      if (!began_.contains({which.mpi, which.layout})) never_began_.insert({which.mpi, which.layout});
    } else if (!ending.interrupted) {
      give_up(attempt, which, plan, ending);
    }
    std::vector<std::string>& notes = gathered_.campaign.notes;
    notes.insert(notes.end(), attempt.notes.begin(), attempt.notes.end());
    parts_.save(attempt);
    if (!began) return false;
    began_.insert({which.mpi, which.layout});
    write();
    return true;
  }

  // After a failure what was in hand, the first that is missing; after an end in order all that is.
  void give_up(Attempt& attempt, const Start& which, const Plan& plan, const Ending& ending) {
    for (const std::uint32_t i : attempt.requests) {
      if (gathered_.done[attempt.start].contains(i)) continue;
      attempt.given_up.push_back(i);
      given_up_[attempt.start].insert(i);
      attempt.notes.push_back(fmt::format("{}: {} {}", text_of(which), name_of(plan.requests[i]),
                                          ending.failure.empty() ? "was not measured" : ending.failure));
      if (!ending.failure.empty()) return;
    }
    if (!ending.failure.empty())
      attempt.notes.push_back(fmt::format("{}: {}, with everything measured", text_of(which), ending.failure));
  }

  std::string text_of(const Start& start) const {
    const Layout& layout = description_.layouts[start.layout];
    return fmt::format("run {} of {}, {} x {}{}{}{}", start.repetition + 1, description_.mpis[start.mpi], layout.nodes,
                       layout.per_node, layout.loopback ? ", loopback" : "",
                       layout.threads.empty() ? "" : ", threads " + layout.threads,
                       layout.variant.empty() ? "" : ", variant " + layout.variant);
  }

  const Description& description_;
  const CampaignOptions& options_;
  Parts& parts_;
  std::vector<Start> starts_;
  std::vector<Installed> installed_;  // as description_.mpis
  Gathered gathered_;
  std::vector<std::set<std::uint32_t>> given_up_;                          // [starts]; by this program
  std::set<std::pair<std::uint32_t, std::uint32_t>> began_, never_began_;  // mpi, layout
  std::uint64_t asked_ = 0, measured_ = 0;
  std::uint32_t next_ = 0;  // attempt
  OwnLoad own_load_;
  Clock::time_point rested_since_ = Clock::now();
  bool stopped_ = false;
};

void require_installed(const Description& description, const std::vector<Installed>& installed) {
  const bool needs_launcher =
      std::ranges::any_of(description.layouts, [](const Layout& layout) { return layout.launcher.empty(); });
  for (const std::string& mpi : description.mpis) {
    const auto found = std::ranges::find(installed, mpi, &Installed::flavour);
    if (found == installed.end())
      throw Error("", fmt::format("the program of the ranks is not there for {}", mpi),
                  "build Plumbline where this MPI is installed, or name another in [campaign] mpi",
                  ExitCode::kCannotRunHere);
    if (needs_launcher && found->launcher.empty())
      throw Error("", fmt::format("there is no mpirun.{}", mpi), "install it, or give a launcher in [[layout]]",
                  ExitCode::kCannotRunHere);
  }
}

bool is_whole(const Campaign& campaign, const Description& description) {
  return campaign.text == description.text && !campaign.runs.empty();
}

// What there is beside the result, or nothing when it is whole.
std::optional<Campaign> begun_before(const Description& description, const CampaignOptions& options) {
  const fs::path beside = Parts::beside(options.result);
  if (!fs::exists(beside)) {
    if (fs::exists(options.result) && is_whole(read_campaign(options.result), description)) return std::nullopt;
    throw Error(options.result.string(), "there is nothing to resume", "leave out --resume");
  }
  return Campaign{};
}

void require_free(const CampaignOptions& options) {
  const Overwrite overwrite = options.force || options.resume ? Overwrite::kYes : Overwrite::kNo;
  const fs::path beside = Parts::beside(options.result);
  if (!options.resume && !options.force && fs::exists(beside))
    throw Error(beside.string(), "holds what a campaign that was cut off has measured",
                "go on with --resume, or begin again with --force");
  require_writable(options.result, overwrite);
  if (fs::is_directory(options.result))
    throw Error(options.result.string(), "is a directory, and a file is to be written", "choose another name");
}

Campaign first_of(const Description& description, const fs::path& result) {
  Campaign campaign;
  campaign.environment = describe_environment(result.has_parent_path() ? result.parent_path() : fs::path("."));
  campaign.text = description.text;
  campaign.seed = description.seed;
  return campaign;
}

CampaignOutcome outcome_of_whole(const Campaign& campaign) {
  CampaignOutcome outcome;
  outcome.runs = campaign.runs.size();
  for (const Run& run : campaign.runs) outcome.contaminated += run.disturbances.empty() ? 0 : 1;
  outcome.notes = campaign.notes;
  return outcome;
}

}  // namespace

std::vector<std::string> warnings_of(const Description& description, std::uint32_t cores) {
  std::vector<std::string> result;
  for (const Layout& layout : description.layouts)
    if (layout.per_node > cores)
      result.push_back(
          fmt::format("{}: {} ranks on a node; this one has {} cores: what is measured is mostly waiting "
                      "for a core; a note of the result says so",
                      layout.where, layout.per_node, cores));
  return result;
}

CampaignOutcome run_campaign(const Description& description, const std::vector<Installed>& installed,
                             const CampaignOptions& options) {
  require_installed(description, installed);
  require_free(options);
  if (options.resume && !begun_before(description, options)) return outcome_of_whole(read_campaign(options.result));
  if (options.force && !options.resume) fs::remove_all(Parts::beside(options.result));
  Parts parts(Parts::beside(options.result));
  const bool goes_on = options.resume && parts.has_begun();
  Campaign campaign = goes_on ? parts.begun() : first_of(description, options.result);
  if (campaign.text != description.text)
    throw Error(options.result.string(), "was begun with another campaign file",
                "resume with that one, or begin again with --force");
  if (!goes_on) parts.begin(campaign);
  Runner runner(description, installed, options, parts);
  runner.begin(campaign);
  runner.take_up();
  CampaignOutcome outcome = runner.run();
  if (outcome.measured + outcome.failed == outcome.asked) parts.remove();
  return outcome;
}

}  // namespace plumbline::bench
