#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/files/output.hpp"
#include "cli/verb.hpp"
#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/pages.hpp"

namespace plumbline::cli {
namespace {

struct ExplainArguments {
  std::string id;
  std::string markdown;  // directory
};

void write_pages(const std::filesystem::path& directory) {
  for (const replay::validate::ChecksPage& page : replay::validate::checks_pages())
    write_file(directory / page.file, page.text, Overwrite::kYes);
}

int run_explain(const ExplainArguments& options) {
  if (!options.markdown.empty())
    write_pages(options.markdown);
  else
    fmt::print("{}", options.id.empty() ? replay::validate::list_of_checks() : replay::validate::explain(options.id));
  return 0;
}

}  // namespace

Run declare_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainArguments>();
  CLI::Option* id = app.add_option("ID", options->id, "check, as a report names it; without it all are listed");
  app.add_option(
         "--markdown", options->markdown,
         "write all of them as pages of Markdown into this directory, as checks.md and checks-*.md; pages that are "
         "there are replaced")
      ->type_name("DIRECTORY")
      ->excludes(id);
  app.footer(
      "Tells what a check of `plumbline validate` looks at, when it is an observation and when a finding, and how to\n"
      "repair it, with the lines to set for Open MPI and MPICH.\n\n"
      "  plumbline explain\n"
      "  plumbline explain net.link.rate");
  return [options] { return run_explain(*options); };
}

}  // namespace plumbline::cli
