#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/quantity.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/assemble_spools.hpp"
#include "tracer/archive/writer.hpp"
#include "tracer/record/gather.hpp"
#include "tracer/record/launch.hpp"
#include "tracer/record/node_sampler.hpp"

namespace plumbline::cli {
namespace {

struct Options {
  std::filesystem::path output, spool, gather;
  record::Command command;
  std::vector<std::string> io_patterns;
  std::string sample_interval = "100ms";
  bool force = false, rank = false, keep_spool = false;
};

// Between the samples of each node; 0: none are taken.
Duration sample_interval(const Options& options) {
  const std::optional<Duration> interval = parse_duration(options.sample_interval);
  constexpr Duration kShortest = milliseconds(1);
  if (!interval || (*interval != Duration{} && *interval < kShortest))
    throw Error("--sample-interval", fmt::format("'{}' is no interval", options.sample_interval),
                "give a time of at least 1ms, or 0 to take no samples", ExitCode::kWrongUse);
  return *interval;
}

// As the ranks get it.
std::string io_paths(const Options& options) {
  for (const std::string& pattern : options.io_patterns)
    if (pattern.empty() || pattern == "!" || pattern.find(':') != std::string::npos)
      throw Error("--io-paths", fmt::format("'{}' is no pattern", pattern),
                  "write ? for a colon in a path, and one --io-paths for each pattern", ExitCode::kWrongUse);
  std::string joined = fmt::format("{}", fmt::join(options.io_patterns, ":"));
  constexpr std::size_t kMostPatterns = 64, kMostText = 4095;  // tracer/preload/io_paths.c
  if (options.io_patterns.size() > kMostPatterns || joined.size() > kMostText)
    throw Error("--io-paths", "more patterns than the tracer takes",
                fmt::format("up to {} patterns, {} characters in all", kMostPatterns, kMostText), ExitCode::kWrongUse);
  return joined;
}

// Hydra ends a job of which one process ends early only if a signal ended that process; the others would wait for it
// (MPICH 4.0.2, src/pm/hydra/pm/pmiserv/pmiserv_cb.c).
[[noreturn]] void keep_rank(const Options& options) {
  try {
    record::end_like(record::keep_rank(options.command, options.gather, io_paths(options), sample_interval(options)));
  } catch (const Error& error) {
    if (std::getenv("PMI_FD") == nullptr) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    record::end_like({128 + SIGTERM, SIGTERM});
  }
}

int record_rank(const Options& options) {
  if (!options.gather.empty()) keep_rank(options);
  if (options.spool.empty())
    throw Error("--rank", "says nothing of where the spools go", "add --gather DIR, a directory that all nodes see",
                ExitCode::kWrongUse);
  record::become_rank(options.command, options.spool, io_paths(options), sample_interval(options));
}

// Samples of nodes alone make no archive.
bool holds_nothing_of_ranks(const std::filesystem::path& spool) {
  const std::filesystem::directory_iterator entries(spool);
  return std::all_of(begin(entries), end(entries), [](const std::filesystem::directory_entry& entry) {
    return entry.path().extension() == ".samples";
  });
}

// The archive, unless the program failed and left nothing: then its own message and status are what matters.
// `is_ours`: the directory was made for this run.
void assemble_what_is_there(const Options& options, const std::filesystem::path& spool, bool is_ours,
                            int program_status) {
  const std::vector<std::string> elsewhere = record::not_gathered(spool);
  for (const std::string& place : elsewhere) fmt::print(stderr, "plumbline: a spool was left in {}\n", place);
  try {
    assemble_spools(spool, options.output, options.force ? Overwrite::kYes : Overwrite::kNo);
  } catch (const Error& error) {
    const bool empty = holds_nothing_of_ranks(spool);
    if (!empty) fmt::print(stderr, "plumbline: the spools are kept in {}\n", spool.string());
    if (empty && is_ours) std::filesystem::remove_all(spool);
    if (program_status == 0) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return;
  }
  if (options.keep_spool || !is_ours || !elsewhere.empty())
    fmt::print(stderr, "plumbline: the spools are kept in {}\n", spool.string());
  else
    std::filesystem::remove_all(spool);
}

// The ranks run here and write where we read.
int record_here(const Options& options, const record::Launch& launch) {
  const std::filesystem::path library = record::preload_library(launch.flavour);
  const std::filesystem::path spool =
      options.spool.empty() ? record::make_spool_directory() : std::filesystem::absolute(options.spool);
  record::NodeSampler sampler(spool, spool, sample_interval(options));
  const record::ProgramEnd end = record::run_recorded(options.command, launch, {library, spool, io_paths(options)});
  sampler.stop();
  assemble_what_is_there(options, spool, options.spool.empty(), end.status);
  return end.status;
}

// Each rank gets a keeper, which brings its spool from its node to a directory beside the archive.
int record_everywhere(const Options& options, const record::Launch& launch) {
  const std::filesystem::path gather = options.gather.empty() ? record::make_gather_directory(options.output)
                                                              : std::filesystem::absolute(options.gather);
  std::filesystem::create_directories(gather);
  record::Command keeper{record::this_program(), "record", "--rank", "--gather", gather.string()};
  for (const std::string& pattern : options.io_patterns) keeper.insert(keeper.end(), {"--io-paths", pattern});
  keeper.insert(keeper.end(), {"--sample-interval", options.sample_interval});
  keeper.emplace_back("--");
  const auto command = record::with_keeper(launch.launcher, options.command, keeper);
  if (!command)
    throw Error(options.command[0], "cannot tell where on this command line the programs are",
                fmt::format("put `{} record --rank --gather DIR --` in front of each program yourself, without the "
                            "outer record, and assemble DIR afterwards; or name a --spool directory that all nodes see",
                            record::this_program()),
                ExitCode::kCannotRunHere);
  const record::ProgramEnd end = record::run_child(*command, [] {});
  assemble_what_is_there(options, gather, options.gather.empty(), end.status);
  return end.status;
}

int record_run(const Options& options) {
  if (options.output.empty())
    throw Error("record", "-o is missing",
                "name the archive: plumbline record -o observed -- mpirun -n 4 ./app (see record --help)",
                ExitCode::kWrongUse);
  io_paths(options);  // said now if it is wrong
  sample_interval(options);
  require_distinct(options.output, {options.spool, options.gather});
  archive::require_archive_output(options.output, options.force ? Overwrite::kYes : Overwrite::kNo);
  const record::Launch launch = record::recognise(options.command);
  const bool gathers = !options.gather.empty() ||
                       (options.spool.empty() && record::may_leave_this_node(launch.launcher, options.command));
  return gathers ? record_everywhere(options, launch) : record_here(options, launch);
}

}  // namespace

Run declare_record(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("COMMAND", options->command, "after --: the launcher's or the program's command line")->required();
  app.add_option("-o,--output", options->output, "archive to write, a directory")->type_name("DIR");
  auto* spool = app.add_option("--spool", options->spool,
                               "directory that the ranks write their spools to; default: a temporary one of their node")
                    ->type_name("DIR");
  app.add_option("--gather", options->gather,
                 "directory, seen by all nodes, that each rank's spool is moved to when the rank has ended; default\n"
                 "where other nodes are named (hosts, a batch system): one beside the archive, removed afterwards")
      ->type_name("DIR")
      ->excludes(spool);
  app.add_option("--io-paths", options->io_patterns,
                 "record POSIX calls on these files only; with ! in front: not on these. * stands for any characters\n"
                 "but /, ** for any at all, ? for one; a pattern without / is compared with the name alone. May be\n"
                 "repeated. Default: all regular files but those below /dev, /proc and /sys")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  app.add_option("--sample-interval", options->sample_interval,
                 "how often the counters of each node are sampled: network, disks, waiting for processors; 0: never")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_flag("--keep-spool", options->keep_spool, "do not remove the spools");
  app.add_flag("--force", options->force, "replace existing output");
  app.add_flag("--rank", options->rank, "between a launcher and a program: record this rank; assemble later");
  app.footer(
      "Runs a program under the tracer and writes what it did as one OTF2 archive. The program is neither changed nor\n"
      "re-linked; its output and its exit status come through. Open MPI and MPICH are told apart by themselves.\n\n"
      "  plumbline record -o observed -- mpirun -n 4 ./app input.txt\n"
      "  plumbline record -o observed -- mpirun --hostfile hosts -n 64 ./app\n"
      "  srun -n 64 plumbline record --rank --gather /scratch/spools -- ./app      then:\n"
      "  plumbline assemble /scratch/spools -o observed");
  return [options] { return options->rank ? record_rank(*options) : record_run(*options); };
}

}  // namespace plumbline::cli
