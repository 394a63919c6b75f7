#include "cli/workflows/validate/validate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "bench/environment.hpp"
#include "cli/workflows/validate/advice.hpp"
#include "cli/workflows/validate/causes/causes.hpp"
#include "cli/workflows/validate/finish.hpp"
#include "cli/workflows/validate/measure/measure.hpp"
#include "cli/workflows/validate/preflight/preflight.hpp"
#include "cli/workflows/validate/preflight/witnesses.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "cli/workflows/validate/session/session.hpp"
#include "cli/workflows/validate/session/site.hpp"
#include "cli/workflows/validate/suite/suite.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/report/json.hpp"
#include "replay/validate/report/suppress.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

constexpr double kPreFlightSeconds = 2;

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

// What is wrong with the user's files is told before anything is measured.
void check_inputs(const Options& options) {
  for (const std::string& only : options.only) {
    const auto checks = replay::validate::catalogue();
    if (std::ranges::none_of(checks, [&](const auto& check) { return matches(only, check.id); }))
      throw Error("--only", fmt::format("no check is called '{}'", only), replay::validate::nearest_checks(only),
                  ExitCode::kWrongUse);
  }
  if (!options.baseline.empty())
    replay::validate::from_json(read_text_file(options.baseline, "name the report.json of an earlier validation"),
                                options.baseline.string());
  if (!options.suppress.empty())
    replay::validate::parse_suppressions(read_text_file(options.suppress, "name a file of lines ID # why"),
                                         options.suppress.string());
}

// A directory of an earlier validation is gone on with, or begun anew, when that was asked for.
void prepare_directory(const Options& options) {
  std::error_code failed;
  const bool holds_something = fs::exists(options.directory, failed) && !fs::is_empty(options.directory, failed);
  if (holds_something && !options.resume && !options.force)
    throw Error(options.directory.string(), "already holds something",
                "--resume goes on with it, --force begins anew, -o names another directory", ExitCode::kBadInput);
  if (holds_something && options.force && !options.resume)
    for (const char* name : {"preflight", "suite", "log", "tuned"}) fs::remove_all(options.directory / name, failed);
  fs::create_directories(options.directory / "log", failed);
  if (failed)
    throw Error(options.directory.string(), "cannot be made: " + failed.message(), "name another with -o",
                ExitCode::kBadInput);
}

void read_suite(Session& session) {
  const Options& options = session.options;
  session.cell_kinds = bench::ask_for_cell_kinds(session.site.mpis.front().suite);
  const std::string level(word(options.level));
  session.suite = options.suite.empty()
                      ? bench::parse_suite(std::string(bench::built_in_suite(level)), level, session.cell_kinds)
                      : bench::parse_suite(read_text_file(options.suite, "name a suite file (TOML)"),
                                           options.suite.string(), session.cell_kinds);
  for (std::size_t i = 0; i < options.programs.size(); ++i)
    session.suite.entries.push_back(
        {.name = fmt::format("program-{}", i + 1), .program = bench::words_of(options.programs[i])});
}

void describe_machine(Session& session) {
  auto& machine = session.validation.machine;
  for (const auto& [host, facts] : session.settings) machine.nodes.push_back(host);
  machine.cores_per_node = session.site.cores;
  machine.kernel = bench::describe_environment(".").kernel;
  for (const MpiResult& result : session.mpis) {
    machine.ranks = std::max(machine.ranks, static_cast<std::uint32_t>(result.ranks.size()));
    machine.mpis.push_back(result.ranks.empty() ? result.mpi->installed.flavour : result.ranks.front().library);
  }
  if (const auto first = std::ranges::find_if(session.mpis, [](const MpiResult& r) { return !r.platform.empty(); });
      first != session.mpis.end())
    session.validation.platform = first->platform.filename().string();
}

void plan(Session& session) {
  session.plan(kPreFlightSeconds * static_cast<double>(session.site.mpis.size()));
  session.plan(planned_seconds_to_measure(session));
  session.plan(planned_seconds_to_record(session));
  session.plan(planned_seconds_to_diagnose(session));
}

std::vector<Need> needs_on(const Options& options, const Site& site) {
  std::uint32_t ranks = 0, per_node = 0;
  for (const Mpi& mpi : site.mpis) {
    ranks = std::max(ranks, mpi.layout.ranks());
    per_node = std::max(per_node, mpi.layout.per_node);
  }
  return needs_of(options, site.mpis.size(), ranks, per_node);
}

void run_stages(Session& session) {
  bool go_on = false;
  run_stage(session, "pre-flight", OnFault::kStop, [&] { go_on = check_start(session); });
  if (!go_on) return;
  run_stage(session, "measure", OnFault::kGoOn, [&] { measure(session); });
  run_stage(session, "suite", OnFault::kGoOn, [&] { record_suite(session); });
  run_stage(session, "diagnose", OnFault::kGoOn, [&] {
    judge_suite(session);
    read_witnesses(session);
    diagnose(session);
    find_advice(session);
  });
  if (session.options.try_advice) run_stage(session, "advice", OnFault::kGoOn, [&] { try_advice(session); });
}

}  // namespace

std::vector<std::string> steps_of(const Options& options) {
  Site site = find_site(options);
  Session session(options, site);
  read_suite(session);
  std::vector<std::string> steps;
  for (const Mpi& mpi : site.mpis)
    steps.push_back(fmt::format("{}: {} ranks on {} nodes, by {}", mpi.installed.flavour, mpi.layout.ranks(),
                                mpi.layout.nodes, site.launcher_from));
  steps.insert(steps.end(), site.notes.begin(), site.notes.end());
  steps.push_back(fmt::format("pre-flight: {:.0f} s", kPreFlightSeconds * static_cast<double>(site.mpis.size())));
  steps.push_back(fmt::format("measure: {:.0f} s", planned_seconds_to_measure(session)));
  std::string names;
  for (const bench::SuiteEntry& entry : session.suite.entries) names += (names.empty() ? "" : ", ") + entry.name;
  steps.push_back(
      fmt::format("suite ({}), replay and comparison: {:.0f} s", names, planned_seconds_to_record(session)));
  steps.push_back("re-tests of what looks slow: as it comes");
  return steps;
}

replay::validate::Validation run(const Options& options) {
  check_inputs(options);
  Site site = find_site(options);
  const std::vector<Need> needs = needs_on(options, site);
  if (!options.resume) require_room(needs);  // else most of it is there
  prepare_directory(options);
  note_interrupts();
  Session session(options, site);
  read_suite(session);
  session.validation.version = options.version;
  session.validation.command = options.command;
  session.validation.created = now();
  session.validation.level = word(options.level);
  plan(session);
  session.needs = needs;
  Reserve reserve(options.directory / "log" / "reserve");
  try {
    run_stages(session);
  } catch (const Interrupted&) {
    session.validation.interrupted = true;
  }
  describe_machine(session);
  settle_checks(session);
  reserve.release();
  write_faces(session);
  return std::move(session.validation);
}

}  // namespace plumbline::cli::validate
