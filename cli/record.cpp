#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/output.hpp"
#include "cli/paths.hpp"
#include "cli/record_settings.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/assemble_spools.hpp"
#include "tracer/archive/writer.hpp"
#include "tracer/record/gather.hpp"
#include "tracer/record/launch.hpp"

namespace plumbline::cli {
namespace {

struct Options {
  std::filesystem::path output, spool, gather;
  record::Command command;
  SettingsOptions settings;
  bool force = false, rank = false, keep_spool = false, anonymize = false;
};

// Hydra ends a job of which one process ends early only if a signal ended that process; the others would wait for it
// (MPICH 4.0.2, src/pm/hydra/pm/pmiserv/pmiserv_cb.c).
[[noreturn]] void keep_rank(const Options& options) {
  try {
    record::end_like(record::keep_rank(options.command, options.gather, settings_of(options.settings)));
  } catch (const Error& error) {
    if (std::getenv("PMI_FD") == nullptr) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    record::end_like({128 + SIGTERM, SIGTERM});
  }
}

int record_rank(const Options& options) {
  if (options.anonymize)
    throw Error("--anonymize", "is nothing that one rank can do", "give it to plumbline assemble", ExitCode::kWrongUse);
  if (!options.gather.empty()) keep_rank(options);
  if (options.spool.empty())
    throw Error("--rank", "says nothing of where the spools go", "add --gather DIR, a directory that all nodes see",
                ExitCode::kWrongUse);
  record::become_rank(options.command, options.spool, settings_of(options.settings));
}

// The archive, unless the program failed and left nothing: then its own message and status are what matters.
// `is_ours`: the directory was made for this run.
void assemble_what_is_there(const Options& options, const std::filesystem::path& spool, bool is_ours,
                            int program_status) {
  const std::vector<std::string> elsewhere = record::not_gathered(spool);
  for (const std::string& place : elsewhere) fmt::print(stderr, "plumbline: a spool was left in {}\n", place);
  try {
    assemble_spools(spool, options.output, options.force ? Overwrite::kYes : Overwrite::kNo,
                    options.anonymize ? Names::kPseudonyms : Names::kTrue);
  } catch (const Error& error) {
    const bool empty = std::filesystem::is_empty(spool);
    if (!empty) fmt::print(stderr, "plumbline: the spools are kept in {}\n", spool.string());
    if (empty && is_ours) std::filesystem::remove(spool);
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
  const record::ProgramEnd end =
      record::run_recorded(options.command, launch, {library, spool, settings_of(options.settings)});
  assemble_what_is_there(options, spool, options.spool.empty(), end.status);
  return end.status;
}

// Each rank gets a keeper, which brings its spool from its node to a directory beside the archive.
int record_everywhere(const Options& options, const record::Launch& launch) {
  const std::filesystem::path gather = options.gather.empty() ? record::make_gather_directory(options.output)
                                                              : std::filesystem::absolute(options.gather);
  std::filesystem::create_directories(gather);
  record::Command keeper{record::this_program(), "record", "--rank", "--gather", gather.string()};
  const record::Command settings = record::options_of(settings_of(options.settings));
  keeper.insert(keeper.end(), settings.begin(), settings.end());
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
  settings_of(options.settings);  // said now if one is wrong
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
  declare_settings(app, options->settings);
  app.add_flag("--anonymize", options->anonymize,
               "write pseudonyms into the archive for what you have named: paths, hosts, arguments, functions, ..");
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
