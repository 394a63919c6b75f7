#include <filesystem>
#include <memory>

#include "cli/paths.hpp"
#include "cli/verb.hpp"
#include "cli/workflows/assemble_spools.hpp"

namespace plumbline::cli {
namespace {

struct Options {
  std::filesystem::path spool, output;
  bool force = false, anonymize = false;
};

}  // namespace

Run declare_assemble(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("SPOOL", options->spool, "directory that holds the spools, at any depth")
      ->required()
      ->check(CLI::ExistingDirectory.description(""));
  app.add_option("-o,--output", options->output, "archive to write, a directory")->required()->type_name("DIR");
  app.add_flag("--force", options->force, "replace existing output");
  app.add_flag("--anonymize", options->anonymize,
               "write pseudonyms into the archive for what users have named: paths, hosts, arguments, functions, ..");
  app.footer(
      "Makes one OTF2 archive from the spools of a recording: one that `plumbline record --rank` made inside a "
      "launcher of\n"
      "yours, or one whose assembly was interrupted. The spools stay as they are.\n\n"
      "  plumbline assemble spool -o observed");
  return [options] {
    require_distinct(options->output, {options->spool});
    assemble_spools(options->spool, options->output, options->force ? Overwrite::kYes : Overwrite::kNo,
                    options->anonymize ? Names::kPseudonyms : Names::kTrue);
    return 0;
  };
}

}  // namespace plumbline::cli
