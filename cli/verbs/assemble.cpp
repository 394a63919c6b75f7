#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/assemble_spools.hpp"

namespace plumbline::cli {
namespace {

struct AssembleArguments {
  std::vector<std::filesystem::path> spools, joined;
  std::filesystem::path output;
  bool force = false, anonymize = false;
  std::uint32_t jobs = 0;
};

}  // namespace

Run declare_assemble(CLI::App& app) {
  const auto options = std::make_shared<AssembleArguments>();
  app.add_option("SPOOL", options->spools, "directories that hold the spools, at any depth")
      ->required()
      ->check(CLI::ExistingDirectory.description(""));
  app.add_option("-o,--output", options->output, "archive to write, a directory")->required()->type_name("DIR");
  app.add_option("--join", options->joined,
                 "spools of file servers and other programs without MPI that were recorded meanwhile: they come into "
                 "the same archive, on the same time line; may be repeated")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory.description(""))
      ->allow_extra_args(false);
  app.add_flag("--force", options->force, "replace existing output");
  app.add_flag("--anonymize", options->anonymize,
               "write pseudonyms into the archive for what users have named: paths, hosts, arguments, functions, ..");
  app.add_option("--jobs", options->jobs,
                 "processes that share the work, each of them some ranks; default: one for each processor that this "
                 "process may use, or one alone where the spools are small or there are fewer than four")
      ->check(whole_number())
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
  app.footer(
      "Makes one OTF2 archive from the spools of a recording: one that `plumbline record --rank` made inside a "
      "launcher of\n"
      "yours, or one whose assembly was interrupted. The spools stay as they are.\n\n"
      "Where several MPI programs were run, the first becomes `observed`, the next `observed.2`, and so on.\n\n"
      "  plumbline assemble spool -o observed\n"
      "  plumbline assemble n0.spools n1.spools n2.spools -o observed\n"
      "  plumbline assemble --join server-spools spool -o observed");
  return [options] {
    for (const std::filesystem::path& spool : options->spools) require_distinct(options->output, {spool});
    for (const std::filesystem::path& joined : options->joined) require_distinct(options->output, {joined});
    std::vector<std::filesystem::path> all = options->spools;
    all.insert(all.end(), options->joined.begin(), options->joined.end());
    assemble_spools(all, options->output, options->force ? Overwrite::kYes : Overwrite::kNo,
                    options->anonymize ? Names::kPseudonyms : Names::kTrue, {}, options->jobs);
    return 0;
  };
}

}  // namespace plumbline::cli
