#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "cli/file_kind.hpp"
#include "cli/numbers.hpp"
#include "cli/paths.hpp"
#include "cli/team.hpp"
#include "cli/text_output.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "cli/workflows/view/open.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "replay/report/text.hpp"
#include "replay/report/text_options.hpp"
#include "viewer/report/compare_html.hpp"
#include "viewer/web/page_data.hpp"

namespace plumbline::cli {
namespace {

struct CompareArguments {
  std::filesystem::path observed, reference, json, html;
  replay::ReportOptions report;
  std::size_t rows = 15;
  Colour colour = Colour::kAuto;
  bool force = false, details = false;
};

void require_pair(const CompareArguments& options) {
  require_archive(options.observed);
  require_archive(options.reference);
  replay::require_observed(archive::Reader(options.observed).definitions(), options.observed.string(), "compare");
}

replay::Report make_report(const CompareArguments& options) {
  replay::CompileSummary summary;
  const replay::Program observed = replay::program_of(options.observed, summary, &workers(0));
  replay::ReportOptions report_options = options.report;
  report_options.notes = summary.remarks;
  report_options.compare.observed_name = options.observed.string();
  report_options.compare.reference_name = options.reference.string();
  archive::Reader reader(options.reference);
  const Scratch scratch = scratch_in(std::filesystem::absolute(archive::find_anchor(options.observed)).parent_path());
  if (replay::is_expected(reader.definitions())) {
    const replay::Expected expected = replay::read_expected(reader, scratch, &workers(0));
    replay::require_made_from(expected, observed, options.reference.string(), options.observed.string());
    return replay::make_report(observed, expected, report_options);
  }
  report_options.scratch = scratch;
  replay::CompileSummary reference_summary;
  const replay::Program reference = replay::program_of(options.reference, reference_summary, &workers(0));
  return replay::make_report(observed, reference, report_options);
}

struct Compared {
  replay::Report report;
  std::string html = {};
};

// The same report, and the page that shows it.
Compared compare_for_page(const CompareArguments& options) {
  view::Options how;
  how.observed = options.observed;
  how.reference = options.reference;
  how.compare = options.report.compare;
  how.whole = true;
  Compared compared;
  const std::unique_ptr<viewer::Opened> opened = view::open(how, &workers(0), &compared.report);
  opened->version = version_number();
  compared.html = viewer::compare_html(*opened, compared.report, {.page = viewer::page_gzip()});
  return compared;
}

// Where to read on: the written report, and the command that prints all of it.
std::string elsewhere(const CompareArguments& options) {
  std::string text;
  for (const std::filesystem::path& file : {options.html, options.json})
    if (!file.empty()) text += fmt::format("{}{}", text.empty() ? "Full report: " : ", ", file.string());
  if (options.details) return text;
  return text + fmt::format("{}plumbline compare --details {} {}",
                            text.empty() ? "Full report: " : "; tables: ", options.observed.string(),
                            options.reference.string());
}

int run_compare(const CompareArguments& options) {
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  require_distinct(options.json, {options.observed, options.reference});
  require_distinct(options.html, {options.observed, options.reference, options.json});
  const bool json_only = options.json == "-";
  if (!options.json.empty() && !json_only) require_writable(options.json, overwrite);
  if (!options.html.empty()) require_writable(options.html, overwrite);
  require_pair(options);
  Compared compared = options.html.empty() ? Compared{make_report(options)} : compare_for_page(options);
  replay::Report& report = compared.report;
  report.facts.observed = options.observed.string();
  report.facts.reference = options.reference.string();
  if (!options.html.empty()) write_file(options.html, compared.html, overwrite);
  if (json_only) {
    fmt::print("{}", replay::json_text(report));
    return static_cast<int>(replay::exit_code(report));
  }
  if (!options.json.empty()) write_file(options.json, replay::json_text(report), overwrite);
  replay::TextOptions text;
  text.details = options.details;
  text.top = options.rows;
  text.elsewhere = elsewhere(options);
  text.width = static_cast<std::size_t>(terminal_width());
  text.color = use_colour(options.colour, STDOUT_FILENO);
  fmt::print("{}", replay::to_text(report, text));
  return static_cast<int>(replay::exit_code(report));
}

}  // namespace

Run declare_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareArguments>();
  app.add_option("OBS", options->observed, "observed archive")->required();
  app.add_option("EXP", options->reference, "expected archive, or a second observed one as the reference")->required();
  app.add_option("--json", options->json, "also write the report as JSON; -: print it instead of the text")
      ->type_name("FILE");
  app.add_option("--html", options->html,
                 "also write the report as one page for a browser, with its timeline: needs no network")
      ->type_name("FILE");
  app.add_option("--threshold", options->report.compare.threshold, "least share of the run that matters, as a fraction")
      ->capture_default_str()
      ->check(number_between(0, 1))
      ->type_name("FRACTION");
  app.add_flag("--details", options->details,
               "all of the report: evidence, the table of calls, totals, what the platform did, what is not judged");
  app.add_option("--top", options->rows, "rows of the table; with --details")
      ->capture_default_str()
      ->check(whole_number())
      ->check(CLI::Range(std::size_t{1}, std::size_t{100000}).description(""))
      ->type_name("N");
  app.add_option("--color", options->colour, "auto, always or never; NO_COLOR is honoured")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Colour>{
                                      {"auto", Colour::kAuto}, {"always", Colour::kAlways}, {"never", Colour::kNever}})
              .description(""))
      ->type_name("WHEN");
  app.add_flag("--force", options->force, "replace existing files");
  app.footer(
      "Pairs the operations of the two archives and ranks where time was lost: own excess is what an operation took "
      "beyond\n"
      "what this platform needs, inherited excess is what it took because others were late. Then the findings: what "
      "is\n"
      "wrong, what it cost, what to do. The answer takes ten lines; --details prints all. Exit status: 0 as expected, "
      "1 findings, 4 not comparable, 5 too noisy to "
      "tell.\n\n"
      "  plumbline compare observed expected\n"
      "  plumbline compare --html report.html observed expected\n"
      "  plumbline compare --details --top 30 --json report.json observed expected\n"
      "  plumbline compare today last-month");
  return [options] { return run_compare(*options); };
}

}  // namespace plumbline::cli
