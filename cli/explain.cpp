#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/verb.hpp"
#include "replay/validate/catalogue.hpp"

namespace plumbline::cli {
namespace {

struct ExplainArguments {
  std::string id;
  bool markdown = false;
};

int run_explain(const ExplainArguments& options) {
  if (options.markdown)
    fmt::print("{}", validate::checks_page());
  else
    fmt::print("{}", options.id.empty() ? validate::list_of_checks() : validate::explain(options.id));
  return 0;
}

}  // namespace

Run declare_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainArguments>();
  CLI::Option* id = app.add_option("ID", options->id, "check, as a report names it; without it all are listed");
  app.add_flag("--markdown", options->markdown, "all of them as a page: docs/reference/checks.md")->excludes(id);
  app.footer(
      "Tells what a check of `plumbline validate` looks at, when it is an observation and when a finding, and how to\n"
      "repair it, with the lines to set for Open MPI and MPICH.\n\n"
      "  plumbline explain\n"
      "  plumbline explain net.link.rate");
  return [options] { return run_explain(*options); };
}

}  // namespace plumbline::cli
