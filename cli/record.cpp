#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/output.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/assemble_spools.hpp"
#include "tracer/archive/writer.hpp"
#include "tracer/record/launch.hpp"

namespace plumbline::cli {
namespace {

struct Options {
  std::filesystem::path output, spool;
  record::Command command;
  bool force = false, rank = false, keep_spool = false;
};

int record_rank(const Options& options) {
  if (options.spool.empty())
    throw Error("--rank", "says nothing of where the spools go", "add --spool DIR, a directory on the ranks' nodes",
                ExitCode::kWrongUse);
  record::become_rank(options.command, options.spool);
}

// The archive, unless the program failed and left nothing: then its own message and status are what matters.
void assemble_what_is_there(const Options& options, const std::filesystem::path& spool, int program_status) {
  try {
    assemble_spools(spool, options.output, options.force ? Overwrite::kYes : Overwrite::kNo);
  } catch (const Error& error) {
    const bool empty = std::filesystem::is_empty(spool);
    if (!empty) fmt::print(stderr, "plumbline: the spools are kept in {}\n", spool.string());
    if (empty && options.spool.empty()) std::filesystem::remove(spool);
    if (program_status == 0) throw;
    fmt::print(stderr, "plumbline: {}\n", error.what());
    return;
  }
  if (options.keep_spool || !options.spool.empty())
    fmt::print(stderr, "plumbline: the spools are kept in {}\n", spool.string());
  else
    std::filesystem::remove_all(spool);
}

int record_run(const Options& options) {
  if (options.output.empty())
    throw Error("record", "-o is missing",
                "name the archive: plumbline record -o observed -- mpirun -n 4 ./app (see record --help)",
                ExitCode::kWrongUse);
  require_distinct(options.output, {options.spool});
  archive::require_archive_output(options.output, options.force ? Overwrite::kYes : Overwrite::kNo);
  const record::Launch launch = record::recognise(options.command);
  const std::filesystem::path library = record::preload_library(launch.flavour);
  const std::filesystem::path spool =
      options.spool.empty() ? record::make_spool_directory() : std::filesystem::absolute(options.spool);
  const record::ProgramEnd end = record::run_recorded(options.command, launch, {library, spool});
  assemble_what_is_there(options, spool, end.status);
  return end.status;
}

}  // namespace

Run declare_record(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("COMMAND", options->command, "after --: the launcher's or the program's command line")->required();
  app.add_option("-o,--output", options->output, "archive to write, a directory")->type_name("DIR");
  app.add_option("--spool", options->spool, "directory for the spools; default: a temporary one, removed afterwards")
      ->type_name("DIR");
  app.add_flag("--keep-spool", options->keep_spool, "do not remove the spools");
  app.add_flag("--force", options->force, "replace existing output");
  app.add_flag("--rank", options->rank, "between a launcher and a program: record this rank; assemble later");
  app.footer(
      "Runs a program under the tracer and writes what it did as one OTF2 archive. The program is neither changed nor\n"
      "re-linked; its output and its exit status come through. Open MPI and MPICH are told apart by themselves.\n\n"
      "  plumbline record -o observed -- mpirun -n 4 ./app input.txt\n"
      "  srun -n 64 plumbline record --rank --spool /scratch/spool -- ./app      then:\n"
      "  plumbline assemble /scratch/spool -o observed");
  return [options] { return options->rank ? record_rank(*options) : record_run(*options); };
}

}  // namespace plumbline::cli
