#include <chrono>
#include <cmath>
#include <memory>

#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/verbs/record_settings.hpp"
#include "cli/workflows/record_run.hpp"
#include "tracer/record/launch/gather.hpp"

namespace plumbline::cli {
namespace {

void declare_places(CLI::App& app, RecordOptions& options) {
  app.add_option("-o,--output", options.output, "archive to write, a directory")->type_name("DIR");
  auto* spool = app.add_option("--spool", options.spool,
                               "directory that the ranks write their spools to; default: a temporary one of their node")
                    ->type_name("DIR");
  auto* gather =
      app.add_option(
             "--gather", options.gather,
             "directory, seen by all nodes, that each rank's spool is moved to when the rank has ended; default\n"
             "where other nodes are named (hosts, a batch system): one beside the archive, removed afterwards")
          ->type_name("DIR")
          ->excludes(spool);
  app.add_flag("--stay", options.stay,
               "leave the spools on the nodes that they were written on, where nodes share no directory; says how to\n"
               "bring them together")
      ->excludes(gather);
  app.add_flag("--keep-spool", options.keep_spool, "do not remove the spools");
  app.add_flag("--force", options.force, "replace existing output");
}

void declare_contents(CLI::App& app, RecordOptions& options, SettingsOptions& settings) {
  declare_settings(app, settings);
  app.add_option("--sample-interval", options.sample_interval,
                 "how often the counters of each node are sampled: network, disks, waiting for processors; 0: never")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_flag("--anonymize", options.anonymize,
               "write pseudonyms into the archive for what you have named: paths, hosts, arguments, functions, ..");
}

void declare_running(CLI::App& app, RecordOptions& options) {
  app.add_option_function<double>(
         "--grace",
         [&options](double seconds) { options.grace = std::chrono::milliseconds(std::lround(1000 * seconds)); },
         "how long, after Ctrl-C, the program may take to end before it is asked again and then killed; default 5")
      ->type_name("SECONDS")
      ->check(number_between(0, 3600));
  auto* rank =
      app.add_flag("--rank", options.rank, "between a launcher and a program: record this rank; assemble later");
  app.add_flag(record::kWithoutBlanks, options.without_blanks)->group("");  // of keepers, for their launcher
  app.add_flag("--server", options.server,
               "record a program without MPI, a file server for one, with every process that it starts: POSIX I/O\n"
               "from its start until all have ended")
      ->excludes(rank);
}

// The words of a keeper as its launcher could pass them on.
void decode(RecordOptions& options, SettingsOptions& settings) {
  options.spool = record::with_blanks(options.spool.string());
  options.gather = record::with_blanks(options.gather.string());
  for (std::string& pattern : settings.io_patterns) pattern = record::with_blanks(pattern);
}

}  // namespace

Run declare_record(CLI::App& app) {
  const auto options = std::make_shared<RecordOptions>();
  const auto settings = std::make_shared<SettingsOptions>();
  app.add_option("COMMAND", options->command, "after --: the launcher's or the program's command line")->required();
  declare_places(app, *options);
  declare_contents(app, *options, *settings);
  declare_running(app, *options);
  app.footer(
      "Runs a program under the tracer and writes what it did as one OTF2 archive. The program is neither changed nor\n"
      "re-linked; its output and its exit status come through. Open MPI and MPICH are told apart by themselves.\n"
      "Ctrl-C ends a program that hangs; the archive is written all the same, with a report of who waits for whom.\n\n"
      "  plumbline record -o observed -- mpirun -n 4 ./app input.txt\n"
      "  plumbline record -o observed -- mpirun --hostfile hosts -n 64 ./app\n"
      "  plumbline record -o observed -- srun -n 64 ./app\n"
      "  LAUNCHER … plumbline record --rank --gather /scratch/spools -- ./app      then:\n"
      "  plumbline assemble /scratch/spools -o observed\n"
      "  plumbline record --server -o served -- file-server --port 7000            until it ends, or Ctrl-C");
  return [options, settings] {
    if (options->without_blanks) decode(*options, *settings);
    options->settings = settings_of(*settings);
    if (options->rank) record_rank(*options);
    if (!options->output.empty()) require_distinct(options->output, {options->spool, options->gather});
    return record_run(*options);
  };
}

}  // namespace plumbline::cli
