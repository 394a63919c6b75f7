#include "cli/workflows/validate/suite/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/team/task.hpp"
#include "base/team/team.hpp"
#include "bench/campaign/description.hpp"
#include "cli/workflows/validate/preflight/preflight.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "cli/workflows/validate/suite/wrong_data.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/expect.hpp"
#include "replay/expect/replay_jobs.hpp"
#include "replay/report/json.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/launch/launch.hpp"

namespace plumbline::cli::validate {
namespace {

namespace expect = replay::expect;

namespace fs = std::filesystem;

constexpr double kStartSeconds = 2;                           // of a launcher, and of assembling
constexpr double kJudgeSeconds = 2;                           // of the replays of one entry
constexpr double kPatienceFactor = 20, kLeastPatience = 300;  // a fault may make an entry ten times as long

double planned_of(const bench::SuiteEntry& entry) { return entry.seconds + kStartSeconds; }

fs::path place_of(const Session& session, const bench::SuiteEntry& entry, const Mpi& mpi) {
  return session.directory / "suite" / mpi.installed.flavour / entry.name;
}

// An entry may ask for fewer ranks than there are.
Mpi with_ranks(Mpi mpi, std::uint32_t ranks) {
  if (ranks == 0 || ranks >= mpi.layout.ranks() || !mpi.layout.launcher.empty()) return mpi;
  mpi.layout.nodes = std::min(mpi.layout.nodes, ranks);
  mpi.layout.per_node = (ranks + mpi.layout.nodes - 1) / mpi.layout.nodes;
  if (mpi.layout.hosts.size() > mpi.layout.nodes) mpi.layout.hosts.resize(mpi.layout.nodes);
  return mpi;
}

std::string log_of(const bench::SuiteEntry& entry, const Mpi& mpi) {
  return fmt::format("suite-{}-{}", mpi.installed.flavour, entry.name);
}

Job job_of(const Session& session, const bench::SuiteEntry& entry, const Mpi& mpi, const fs::path& archive) {
  bench::Launch launch = launch_of(session, entry, mpi);
  Job job;
  job.command = {record::this_program(), "record", "--force", "-o", archive.string(), "--"};
  job.command.insert(job.command.end(), launch.command.begin(), launch.command.end());
  job.environment = launch.environment;
  job.log = session.log(log_of(entry, mpi));
  job.patience_s = std::max(kLeastPatience, kPatienceFactor * entry.seconds);
  return job;
}

// What a run that failed has left is no archive of this entry: --resume makes it again. Returns where it is.
fs::path set_aside(const fs::path& archive) {
  std::error_code failed;
  const fs::path aside = archive.string() + ".failed";
  fs::remove_all(aside, failed);
  if (fs::exists(archive, failed)) fs::rename(archive, aside, failed);
  return aside;
}

// "rank 3: killed by SIGKILL", of the first rank whose end begins with `what`, or, where that is "", which did not end
// with MPI_Finalize; "": of none, or there is no archive.
std::string unusual_end(const fs::path& path, std::string_view what) {
  if (!fs::exists(path)) return {};
  const archive::Reader reader(path);
  const archive::Definitions& definitions = reader.definitions();
  for (const archive::Location& location : definitions.locations) {
    if (!location.rank || location.group >= definitions.location_groups.size()) continue;
    const auto& properties = definitions.location_groups[location.group].properties;
    const auto end = properties.find(archive::names::kPropertyEnd);
    if (end != properties.end() && end->second != "finalized" && end->second.starts_with(what))
      return fmt::format("rank {}: {}", *location.rank, end->second);
  }
  return {};
}

[[noreturn]] void fail(const std::string& where, const JobEnd& end, const Job& job, const fs::path& archive) {
  const fs::path aside = set_aside(archive);
  if (const std::string said = wrong_data_in(job.log); !said.empty())
    throw Error(where, "wrong data: " + said, "see " + job.log.string(), ExitCode::kFindings);
  const std::string rank = unusual_end(aside, "");
  if (rank.empty())
    throw Error(where, fmt::format("{}: {}", end.failure, tail_of(job.log)), "see " + job.log.string(),
                ExitCode::kCannotRunHere);
  throw Error(
      where, fmt::format("{}: {}", end.failure, rank),
      fmt::format("see {}; plumbline info --waiting {} says who waited for whom", job.log.string(), aside.string()),
      ExitCode::kCannotRunHere);
}

// Throws Error where it does not end well.
void record_entry(const Session& session, const bench::SuiteEntry& entry, const Mpi& mpi, const fs::path& archive) {
  fs::create_directories(archive.parent_path());
  const Job job = job_of(session, entry, mpi, archive);
  const JobEnd end = run_job(job);
  const std::string where = fmt::format("suite {} ({})", entry.name, mpi.installed.flavour);
  if (!end.failure.empty()) fail(where, end, job, archive);
  const std::string stopped = unusual_end(archive, "recording stopped");
  if (stopped.empty()) return;
  set_aside(archive);
  throw Error(where, stopped, "free some of the disk (spools are in TMPDIR), and go on with --resume",
              ExitCode::kCannotRunHere);
}

replay::validate::SuiteRun& run_of(Session& session, const bench::SuiteEntry& entry, const Mpi& mpi) {
  auto& runs = session.validation.suite;
  const auto found = std::ranges::find_if(runs, [&](const replay::validate::SuiteRun& run) {
    return run.name == entry.name && run.mpi == mpi.installed.flavour;
  });
  if (found != runs.end()) return *found;
  replay::validate::SuiteRun run;
  run.name = entry.name;
  run.mpi = mpi.installed.flavour;
  runs.push_back(std::move(run));
  return runs.back();
}

std::string below(const Session& session, const fs::path& path) {
  return fs::relative(path, session.directory).generic_string();
}

const hw::Platform& platform_of(std::map<const Mpi*, hw::Platform>& platforms, const Session& session, const Mpi& mpi) {
  const auto [place, is_new] = platforms.try_emplace(&mpi);
  if (is_new)
    for (const MpiResult& result : session.mpis)
      if (result.mpi == &mpi) place->second = hw::read_platform(result.platform);
  return place->second;
}

bool has_platform(const Session& session, const Mpi& mpi) {
  return std::ranges::any_of(session.mpis, [&](const MpiResult& r) { return r.mpi == &mpi && !r.platform.empty(); });
}

void add_wrong_data(Session& session, const bench::SuiteEntry& entry, const Mpi& mpi) {
  const std::string& flavour = mpi.installed.flavour;
  const std::string said = wrong_data_in(session.log(log_of(entry, mpi)));
  if (said.empty()) return;
  session.validation.diagnoses.push_back(wrong_data(said, entry.name, flavour, storage_directory(session).string()));
}

// Without a platform the length of each run is all that is known.
void measure_runs(Session& session) {
  for (SuiteResult& result : session.runs) {
    result.judged.report.totals.run = observed_length(result.archive);
    run_of(session, *result.entry, *result.mpi).observed_s = result.judged.report.totals.run.seconds();
  }
}

fs::path repetition_of(const Session& session, const SuiteResult& run, std::uint32_t time) {
  return place_of(session, *run.entry, *run.mpi) / fmt::format("again-{}", time);
}

}  // namespace

bench::Launch launch_of(const Session& session, const bench::SuiteEntry& entry, const Mpi& mpi) {
  std::vector<std::string> words = bench::command_of(entry, mpi.suite, storage_directory(session));
  bench::Launch launch{words, {}};
  if (entry.program.empty()) {
    words.erase(words.begin());
    launch = launch_on(session.site, with_ranks(mpi, entry.ranks), mpi.suite, std::move(words));
  }
  for (const auto& [name, value] : entry.environment) launch.environment.push_back(name + "=" + value);
  return launch;
}

double planned_seconds_to_record(const Session& session) {
  double seconds = 0;
  for (const bench::SuiteEntry& entry : session.suite.entries) seconds += planned_of(entry) + kJudgeSeconds;
  return seconds * static_cast<double>(session.site.mpis.size());
}

void record_suite(Session& session) {
  for (const Mpi& mpi : session.site.mpis)
    for (const bench::SuiteEntry& entry : session.suite.entries) {
      session.begin_step(fmt::format("{}, {}", entry.name, mpi.installed.flavour));
      const fs::path archive = place_of(session, entry, mpi) / "observed";
      replay::validate::SuiteRun& run = run_of(session, entry, mpi);
      try {
        if (!(session.options.resume && fs::exists(archive))) record_entry(session, entry, mpi, archive);
        run.archive = below(session, archive);
        session.runs.push_back({&entry, &mpi, archive, {}});
      } catch (const Error& error) {
        run.fault = error.what();
        add_wrong_data(session, entry, mpi);
        session.part_failed("suite", error);
        end_where_nothing_runs(session, "suite", mpi);
        if (session.is_over) return;
      }
      session.end_step(planned_of(entry));
    }
}

namespace {

// A run of the suite with what it is judged by.
struct Case {
  SuiteResult* result = nullptr;
  const hw::Platform* platform = nullptr;
  Recorded recorded;
};

struct Verdict {
  std::optional<Judged> judged;
  std::string fault = {};  // why it is not
};

std::string platform_name_of(const Mpi& mpi) { return fmt::format("platform-{}.xml", mpi.installed.flavour); }

std::uint32_t replay_jobs_of(const Session& session, const std::vector<Case>& cases) {
  std::uint64_t most = 0;
  for (const Case& one : cases) most = std::max(most, expect::bytes_of_replay(one.recorded.program, *one.platform));
  return expect::replay_jobs(session.options.jobs, cases.size() * expect::kMostReplays, most);
}

void note_fault(Session& session, const SuiteResult& result, const std::string& fault) {
  replay::validate::SuiteRun& run = run_of(session, *result.entry, *result.mpi);
  run.fault = fault;
  session.validation.notes.push_back(fmt::format("{} ({}): {}", run.name, run.mpi, fault));
}

void note_judged(Session& session, SuiteResult& result, Judged judged) {
  replay::validate::SuiteRun& run = run_of(session, *result.entry, *result.mpi);
  result.judged = std::move(judged);
  const fs::path report = result.archive.parent_path() / "report.json";
  write_file(report, replay::json_text(result.judged.report), Overwrite::kYes);
  run.report = below(session, report);
  run.observed_s = result.judged.report.totals.run.seconds();
  run.expected_s = result.judged.expected.seconds();
  run.judged_share = replay::judged_share(result.judged.report);
}

// Of each run whose recording can be read, and that has a platform. The others are noted.
std::vector<Case> cases_of(Session& session, std::map<const Mpi*, hw::Platform>& platforms) {
  std::vector<Case> cases;
  for (SuiteResult& result : session.runs) try {
      if (!has_platform(session, *result.mpi))
        throw Error(result.entry->name, "there is no platform to replay it on", "see the notes of the calibration");
      const hw::Platform& platform = platform_of(platforms, session, *result.mpi);
      cases.push_back({&result, &platform, read_run(result.archive)});
    } catch (const Error& error) {
      note_fault(session, result, error.what());
    }
  return cases;
}

// Side by side; jobs that are left over are those of each.
void judge_all(Session& session, const std::vector<Case>& cases) {
  const std::uint32_t jobs = replay_jobs_of(session, cases);
  const std::uint32_t of_each = std::max(jobs / static_cast<std::uint32_t>(std::max<std::size_t>(cases.size(), 1)), 1U);
  const Team team{.jobs = jobs / of_each, .progress = [&](double share) {
                    if (is_interrupted()) throw Interrupted{};
                    session.part_of_step(kJudgeSeconds * static_cast<double>(cases.size()), share);
                  }};
  run_tasks_for<Verdict>(
      team, cases.size(),
      [&](const Task& task) {
        const Case& one = cases[task.index()];
        const Team own{.jobs = of_each, .progress = [&](double share) { task.tell(share); }};
        try {
          return Verdict{judge_run(one.recorded, *one.platform, platform_name_of(*one.result->mpi), own)};
        } catch (const Error& error) {
          return Verdict{{}, error.what()};
        }
      },
      [&](std::size_t index, Verdict verdict) {
        SuiteResult& result = *cases[index].result;
        if (!verdict.judged) return note_fault(session, result, verdict.fault);
        try {
          note_judged(session, result, *std::move(verdict.judged));
        } catch (const Error& error) {
          note_fault(session, result, error.what());
        }
      });
}

Judged judge_alone(const Session& session, const fs::path& archive, const hw::Platform& platform,
                   const std::string& platform_name) {
  const Recorded recorded = read_run(archive);
  const std::uint64_t bytes = expect::bytes_of_replay(recorded.program, platform);
  return judge_run(recorded, platform, platform_name,
                   {.jobs = expect::replay_jobs(session.options.jobs, expect::kMostReplays, bytes)});
}

}  // namespace

void judge_suite(Session& session) {
  if (!session.wants_platform()) return measure_runs(session);
  session.begin_step("replay of the suite");
  std::map<const Mpi*, hw::Platform> platforms;
  judge_all(session, cases_of(session, platforms));
  session.end_step(kJudgeSeconds * static_cast<double>(session.runs.size()));
  std::erase_if(session.runs,
                [&](const SuiteResult& result) { return !run_of(session, *result.entry, *result.mpi).fault.empty(); });
}

Judged judge_again(Session& session, const SuiteResult& run, std::uint32_t time) {
  const fs::path archive = repetition_of(session, run, time);
  record_entry(session, *run.entry, *run.mpi, archive);
  const std::string name = platform_name_of(*run.mpi);
  return judge_alone(session, archive, hw::read_platform(session.directory / name), name);
}

Judged judge_repetition(const Session& session, const SuiteResult& run, std::uint32_t time,
                        const hw::Platform& platform) {
  return judge_alone(session, repetition_of(session, run, time), platform, "calibration beside it");
}

}  // namespace plumbline::cli::validate
