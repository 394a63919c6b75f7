#include "cli/workflows/record_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/quantity.hpp"
#include "cli/workflows/assemble_spools.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/clocks/node_clock.hpp"
#include "tracer/record/launch/ends.hpp"
#include "tracer/record/launch/gather.hpp"
#include "tracer/record/launch/keep_local.hpp"
#include "tracer/record/launch/launch.hpp"
#include "tracer/record/launch/orphaned_spools.hpp"
#include "tracer/record/launch/reasons.hpp"
#include "tracer/record/launch/remove_spools.hpp"
#include "tracer/record/launch/runs.hpp"
#include "tracer/record/launch/stop.hpp"
#include "tracer/record/metrics/node_sampler.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::cli {
namespace {

// A program that was stopped and says that all went well has not been waited for.
int status_of(const record::Outcome& run) {
  return run.stop && run.end.status == 0 ? 128 + run.stop->signal : run.end.status;
}

// Hydra ends with 255 where a program cannot be started. Its keeper, which could be, had to end by SIGTERM
// (record_rank), and with that number Hydra ended.
void give_status_of_launcher(const record::Launch& launch, const std::filesystem::path& spools, record::Outcome& run) {
  constexpr int kCannotStart = 255;
  if (launch.launcher != record::Launcher::kHydra || run.stop || run.end.status != SIGTERM) return;
  for (const record::Reason& reason : record::find_reasons({spools}))
    if (reason.rank == PL_REASON_NOT_STARTED) run.end.status = kCannotStart;
}

// Between the samples of each node; 0: none are taken.
Duration sample_interval(const RecordOptions& options) {
  const std::optional<Duration> interval = parse_duration(options.sample_interval);
  constexpr Duration kShortest = milliseconds(1);
  if (!interval || (*interval != Duration{} && *interval < kShortest))
    throw Error("--sample-interval", fmt::format("'{}' is no interval", options.sample_interval),
                "give a time of at least 1ms, or 0 to take no samples", ExitCode::kWrongUse);
  return *interval;
}

// Samples of nodes alone make no archive, and neither do reasons for there being nothing.
bool holds_nothing_of_ranks(const std::filesystem::path& spool, std::error_code& gone) {
  const std::filesystem::directory_iterator entries(spool, gone);
  return !gone && std::all_of(begin(entries), end(entries), [](const std::filesystem::directory_entry& entry) {
    return entry.path().extension() == ".samples" || record::is_reason(entry.path());
  });
}

void keep(const std::filesystem::path& spool) {
  record::mark_kept(spool);
  fmt::print(stderr, "plumbline: the spools are kept in {}; `plumbline assemble {} -o ARCHIVE` assembles them\n",
             spool.string(), spool.string());
}

// What is still there afterwards is nobody's loss, and says nothing of the program.
void discard(const std::filesystem::path& spool) {
  if (const std::string why = record::remove_spools(spool); !why.empty())
    fmt::print(stderr, "plumbline: {}: cannot be removed ({}); nothing in it is needed any more\n", spool.string(),
               why);
}

// The archive, unless the program failed and left nothing: then its own message and status are what matters.
// `is_ours`: the directory was made for this run.
void assemble_what_is_there(const RecordOptions& options, const std::filesystem::path& spool, bool is_ours,
                            const record::Outcome& run) {
  const std::vector<std::string> elsewhere = record::not_gathered(spool);
  for (const std::string& place : elsewhere) fmt::print(stderr, "plumbline: a spool was left in {}\n", place);
  if (run.stop)
    fmt::print(stderr, "plumbline: stopped by {}; assembling what {} holds\n", record::signal_text(run.stop->signal),
               spool.string());
  try {
    assemble_spools({spool}, options.output, options.force ? Overwrite::kYes : Overwrite::kNo,
                    options.anonymize ? Names::kPseudonyms : Names::kTrue, run.stop);
  } catch (const std::exception& error) {
    std::error_code gone;
    const bool empty = holds_nothing_of_ranks(spool, gone);
    if (gone)
      fmt::print(stderr, "plumbline: {}, where the spools were written, is no longer there\n", spool.string());
    else if (!empty)
      keep(spool);
    else if (is_ours)
      discard(spool);
    else
      record::remove_reasons(spool);
    if (status_of(run) == 0) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return;
  }
  record::remove_reasons(spool);
  if (options.keep_spool || !is_ours || !elsewhere.empty())
    keep(spool);
  else
    discard(spool);
}

void tell_of_earlier_ones() {
  constexpr std::size_t kMost = 3;
  const std::vector<std::filesystem::path> places = record::orphaned_spools();
  for (std::size_t i = 0; i < std::min(places.size(), kMost); ++i)
    fmt::print(stderr,
               "plumbline: an earlier recording was left in {}; `plumbline assemble {} -o ARCHIVE` assembles it\n",
               places[i].string(), places[i].string());
}

// This program by a name that the launcher does not split: Open MPI's does at blanks, and then it is a link.
class KeeperPath {
 public:
  explicit KeeperPath(const record::Launch& launch) : program_(record::this_program()) {
    if (launch.launcher == record::Launcher::kOpenMpi) link_.emplace(program_);
  }
  std::string name() const { return link_ ? link_->path().string() : program_; }

 private:
  std::string program_;
  std::optional<record::LoadablePath> link_;
};

// The command with `record --rank WORDS` in front of each program. Nothing when it cannot be told where they are.
std::optional<Command> with_keeper(const RecordOptions& options, const record::Launch& launch, const KeeperPath& path,
                                   const Command& words) {
  Command keeper{path.name(), "record", "--rank"};
  keeper.insert(keeper.end(), words.begin(), words.end());
  const Command settings = record::options_of(options.settings);
  keeper.insert(keeper.end(), settings.begin(), settings.end());
  keeper.emplace_back("--");
  return record::with_keeper(launch.launcher, options.command, keeper);
}

Command require_keeper(const RecordOptions& options, const record::Launch& launch, const KeeperPath& path,
                       const Command& words) {
  if (const auto command = with_keeper(options, launch, path, words)) return *command;
  throw Error(options.command[0], "cannot tell where on this command line the programs are",
              fmt::format("put `{} record --rank --gather DIR --` in front of each program yourself, without the "
                          "outer record, and assemble DIR afterwards; or name a --spool directory that all nodes see",
                          record::this_program()),
              ExitCode::kCannotRunHere);
}

std::filesystem::path spool_directory(const RecordOptions& options) {
  return options.spool.empty() ? record::make_spool_directory() : std::filesystem::absolute(options.spool);
}

// A launcher starts each rank through a keeper, or, when it cannot be told where the programs are, with the preload in
// its environment: then nobody sees by which signal a rank ended.
record::Outcome run_here(const RecordOptions& options, const record::Launch& launch,
                         const std::filesystem::path& spool) {
  const std::filesystem::path library = record::preload_library(launch.flavour);
  const record::StopOptions stop{options.grace, [&] { record::kill_recorded(spool); }};
  const Command words{"--spool", spool.string(), "--sample-interval", "0"};  // this node is sampled already
  const KeeperPath keeper(launch);
  if (const auto command = with_keeper(options, launch, keeper, words))
    return record::run_until_stopped(
        *command, [] {}, stop);
  const record::Outcome run = record::run_recorded(options.command, launch, {library, spool, options.settings}, stop);
  if (launch.launcher == record::Launcher::kSingleton) record::write_end_note(spool, run.end);
  return run;
}

// The ranks run here and write where we read.
int record_here(const RecordOptions& options, const record::Launch& launch) {
  const std::filesystem::path spool = spool_directory(options);
  record::NodeSampler sampler(spool, spool, sample_interval(options));
  record::Outcome run = run_here(options, launch, spool);
  give_status_of_launcher(launch, spool, run);
  sampler.stop();
  if (run.stop) record::kill_recorded(spool);  // a launcher may end before its ranks
  assemble_what_is_there(options, spool, options.spool.empty(), run);
  return status_of(run);
}

// Each rank gets a keeper, which brings its spool from its node to a directory beside the archive.
int record_everywhere(const RecordOptions& options, const record::Launch& launch) {
  const std::filesystem::path gather = options.gather.empty() ? record::make_gather_directory(options.output)
                                                              : std::filesystem::absolute(options.gather);
  std::filesystem::create_directories(gather);
  const KeeperPath keeper(launch);
  const Command command = require_keeper(options, launch, keeper,
                                         {"--gather", gather.string(), "--sample-interval", options.sample_interval});
  record::forget_earlier_meeting(gather);
  record::NodeClock clock(gather);  // the one that the keepers on other nodes compare theirs with
  record::Outcome run = record::run_until_stopped(command, [] {}, {options.grace, {}, [&] { clock.watch(); }});
  give_status_of_launcher(launch, gather, run);
  clock.finish();
  assemble_what_is_there(options, gather, options.gather.empty(), run);
  return status_of(run);
}

// The ranks write to a directory of that name on their own nodes, and there it stays.
int record_node_local(const RecordOptions& options, const record::Launch& launch) {
  const std::filesystem::path spool = spool_directory(options);
  Command words{"--spool", spool.string(), "--sample-interval", options.sample_interval};
  if (options.stay) words.emplace_back("--stay");
  const KeeperPath keeper(launch);
  const record::Outcome run = record::run_until_stopped(require_keeper(options, launch, keeper, words), [] {},
                                                        {options.grace, [&] { record::kill_recorded(spool); }});
  const std::string advice =
      options.stay ? record::how_to_bring_together(record::find_runs(spool::find_spools(spool)), spool, options.output)
                   : std::string{};
  if (advice.empty())
    assemble_what_is_there(options, spool, options.spool.empty(), run);
  else
    fmt::print(stderr, "plumbline: {}\n", advice);
  return status_of(run);
}

// A program without MPI, and whatever it starts.
int record_server(const RecordOptions& options) {
  const Duration interval = sample_interval(options);
  if (!options.gather.empty())
    return record::keep_server(options.command, options.gather, options.settings, interval).status;
  const std::filesystem::path spool =
      options.spool.empty() ? record::make_server_spools() : std::filesystem::absolute(options.spool);
  const ProgramEnd end = record::run_server(options.command, spool, options.settings, interval);
  assemble_what_is_there(options, spool, options.spool.empty(), {end, {}});
  return end.status;
}

void require_server_options(const RecordOptions& options) {
  if (!options.settings.ranks.empty() || !options.settings.window.empty())
    throw Error("record --server", "has neither ranks nor MPI_Init", "leave out --ranks and --window",
                ExitCode::kWrongUse);
  if (options.output.empty() == options.gather.empty())
    throw Error("record --server", "needs either -o or --gather",
                "-o ARCHIVE makes an archive of the server alone; --gather DIR leaves its spools in DIR, for "
                "plumbline assemble --join DIR",
                ExitCode::kWrongUse);
}

// Where the ranks' spools will be they must be the only ones: those of an earlier run would be taken for this one's.
void require_no_spools(const std::filesystem::path& directory) {
  if (directory.empty() || !std::filesystem::is_directory(directory) || spool::find_spools(directory).empty()) return;
  throw Error(directory.string(), "holds the spools of another run", "name an empty directory, or remove them",
              ExitCode::kWrongUse);
}

// Names are replaced where an archive is made.
void require_assembly(const RecordOptions& options) {
  const bool assembles = !options.rank && !options.stay && !(options.server && !options.gather.empty());
  if (options.anonymize && !assembles)
    throw Error("--anonymize", "says how an archive is to be written, and none is written here",
                "give it to plumbline assemble", ExitCode::kWrongUse);
}

ProgramEnd keep_rank(const RecordOptions& options) {
  if (!options.gather.empty())
    return record::keep_rank(options.command, options.gather, options.settings, sample_interval(options));
  if (options.stay) record::say_where_spools_stay(options.spool);
  return record::keep_rank_at(options.command, options.spool, options.settings, sample_interval(options));
}

}  // namespace

void record_rank(const RecordOptions& options) {
  require_assembly(options);
  if (options.gather.empty() && options.spool.empty())
    throw Error("--rank", "says nothing of where the spools go", "add --gather DIR, a directory that all nodes see",
                ExitCode::kWrongUse);
  try {
    record::end_like(keep_rank(options));
  } catch (const Error& error) {
    record::note_reason(options.gather.empty() ? options.spool : options.gather, PL_REASON_NOT_STARTED, error.what());
    // Hydra ends a job of which one process ends early only if a signal ended that process; the others would wait for
    // it (MPICH 4.0.2, src/pm/hydra/pm/pmiserv/pmiserv_cb.c).
    if (std::getenv("PMI_FD") == nullptr) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    record::end_like({128 + SIGTERM, SIGTERM});
  }
}

int record_run(const RecordOptions& options) {
  require_assembly(options);
  if (options.server) require_server_options(options);
  if (options.server && !options.gather.empty()) return record_server(options);
  if (options.output.empty())
    throw Error("record", "-o is missing",
                "name the archive: plumbline record -o observed -- mpirun -n 4 ./app (see record --help)",
                ExitCode::kWrongUse);
  sample_interval(options);
  archive::require_archive_output(options.output, options.force ? Overwrite::kYes : Overwrite::kNo);
  require_no_spools(options.spool);
  require_no_spools(options.gather);
  if (options.server) return record_server(options);
  const record::Launch launch = record::recognise(options.command);
  tell_of_earlier_ones();
  const bool is_singleton = launch.launcher == record::Launcher::kSingleton;
  if (!is_singleton && (options.stay || (launch.launcher == record::Launcher::kSrun && !options.spool.empty())))
    return record_node_local(options, launch);
  const bool gathers = !options.gather.empty() ||
                       (options.spool.empty() && record::may_leave_this_node(launch.launcher, options.command));
  return gathers ? record_everywhere(options, launch) : record_here(options, launch);
}

}  // namespace plumbline::cli
