#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "cli/file_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "cli/workflows/view/greeting.hpp"
#include "cli/workflows/view/open.hpp"
#include "viewer/server/http/page.hpp"
#include "viewer/server/http/server.hpp"
#include "viewer/web/page_data.hpp"

namespace plumbline::cli {
namespace {

struct ViewArguments {
  view::Options options;
  std::filesystem::path assets;
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;
  bool no_browser = false, json = false;
};

viewer::Page page_for(const ViewArguments& arguments) {
  if (!arguments.assets.empty()) return viewer::page_of(arguments.assets);
  return viewer::embedded_page(viewer::page_gzip());
}

int run_view(const ViewArguments& arguments) {
  viewer::Server server(arguments.address, arguments.port);  // complains of the port before the long work
  require_archive_or_program(arguments.options.observed);
  if (!arguments.options.reference.empty()) require_archive(arguments.options.reference);
  viewer::Page page = page_for(arguments);
  const std::unique_ptr<viewer::Opened> opened = view::open(arguments.options, &workers(arguments.options.jobs));
  opened->version = version_number();
  const view::Surroundings here = view::surroundings();
  const view::Place place{server.address(), server.port(), viewer::random_token()};
  const viewer::Site site{viewer::guard_for(place.address, place.port, here.host, place.token), std::move(page),
                          opened.get()};
  fmt::print("{}", arguments.json ? view::greeting_json(*opened, place) : view::greeting(*opened, place, here));
  std::fflush(stdout);
  std::shared_ptr<const std::filesystem::path> opening;
  if (!arguments.no_browser && !arguments.json && view::opens_browser(here))
    opening = view::open_browser(view::url_of(place));
  server.serve(site);
  return 0;
}

void declare_what(CLI::App& app, ViewArguments& arguments) {
  view::Options& options = arguments.options;
  app.add_option("OBS", options.observed, "observed archive, the directory of a validation, or a program file")
      ->required();
  app.add_option("EXP", options.reference, "expected archive, or a second observed one as the reference");
  app.add_option("-p,--platform", options.platform,
                 "platform file: what would be is replayed on it; without EXP also what is expected")
      ->type_name("FILE");
  app.add_option("--report", options.report, "report of an earlier compare --json; default: it is made")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_option("--run", options.run, "of a validation: the run of the suite to show; default: that which lost most")
      ->type_name("NAME[/MPI]");
}

void declare_how(CLI::App& app, ViewArguments& arguments) {
  app.add_option("--port", arguments.port, "default: any that is free")
      ->check(whole_number())
      ->check(CLI::Range(1U, 65535U).description(""))
      ->type_name("N");
  app.add_option("--bind", arguments.address,
                 "address to listen on; others than the loopback let the network in, unencrypted")
      ->capture_default_str()
      ->type_name("ADDRESS");
  app.add_option("--jobs", arguments.options.jobs,
                 "processes and threads that read archives, replay and make the index; default: one for each processor "
                 "that this process may use")
      ->check(whole_number())
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
  app.add_flag("--no-browser", arguments.no_browser, "only print the address");
  app.add_flag("--json", arguments.json, "print address and token as one line of JSON, and open no browser");
  app.add_option("--assets", arguments.assets, "serve the page from a directory, while it is worked on")
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("DIR");
}

}  // namespace

Run declare_view(CLI::App& app) {
  const auto arguments = std::make_shared<ViewArguments>();
  declare_what(app, *arguments);
  declare_how(app, *arguments);
  app.footer(
      "Serves a page that shows a run as a timeline beside what was expected of it, on the loopback and for whoever "
      "has\n"
      "the address with its token. Opens a browser where there is a screen; over ssh it prints the line that brings "
      "the\n"
      "port to your own machine. The endpoints are documented: docs/reference/viewer-api.md.\n\n"
      "  plumbline view observed expected\n"
      "  plumbline view observed expected -p platform.xml       also what would be with other hints, algorithms, "
      "rates\n"
      "  plumbline view observed -p platform.xml                works out what is expected first\n"
      "  plumbline view today last-month                        two observed runs\n"
      "  plumbline view traces.otf2                             any OTF2 archive of MPI, also Score-P's\n"
      "  plumbline view validation                              the run of a validation that lost most\n"
      "  curl -H \"Authorization: Bearer $TOKEN\" http://127.0.0.1:$PORT/api/v1/meta");
  return [arguments] { return run_view(*arguments); };
}

}  // namespace plumbline::cli
