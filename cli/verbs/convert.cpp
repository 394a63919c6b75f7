#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cerrno>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/progress.hpp"
#include "cli/file_kind.hpp"
#include "cli/paths.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "viewer/export/csv.hpp"
#include "viewer/export/paraver.hpp"
#include "viewer/export/perfetto.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/matches/matches.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

struct ConvertArguments {
  fs::path observed, reference, output;
  std::string format;
  bool force = false;
};

constexpr std::string_view kPerfetto = "perfetto", kCsv = "csv", kParaver = "paraver";

// By the end of the name where nothing was said.
std::string format_of(const ConvertArguments& options) {
  const std::string end = options.output.extension().string();
  std::string format = options.format;
  if (format.empty() && (options.output == "-" || end == ".csv")) format = kCsv;
  if (format.empty() && (end == ".pftrace" || end == ".perfetto-trace")) format = kPerfetto;
  if (format.empty() && end == ".prv") format = kParaver;
  const std::string where = options.output.string();
  if (format.empty())
    throw Error(where, "does not say in which form", "add --to perfetto, csv or paraver", ExitCode::kWrongUse);
  if (options.output == "-" && format != kCsv)
    throw Error("-", "takes only csv", "name a file: -o run." + std::string(format == kParaver ? "prv" : "pftrace"),
                ExitCode::kWrongUse);
  if (format == kParaver && end != ".prv")
    throw Error(where, "is no name that Paraver opens", fmt::format("name it {}.prv", where), ExitCode::kWrongUse);
  return format;
}

void print_remarks(const fs::path& archive, const replay::CompileSummary& summary) {
  for (const std::string& remark : summary.remarks) fmt::print(stderr, "plumbline: {}: {}\n", archive.string(), remark);
}

// Columns of an expected archive, or of another run.
void open_reference(viewer::Runs& runs, const ConvertArguments& options, const Scratch& scratch) {
  const replay::CompareOptions names{.observed_name = runs.observed_name, .reference_name = runs.reference_name};
  archive::Reader reader(options.reference);
  if (!replay::is_expected(reader.definitions())) {
    replay::CompileSummary summary;
    const replay::Program reference = replay::program_of(reader, summary, &workers(0));
    print_remarks(options.reference, summary);
    runs.expected = replay::columns_of_run(runs.observed, reference, names, scratch);
    runs.reference = replay::ReferenceRun::kObserved;
    return;
  }
  runs.expected = replay::read_expected(reader, scratch, &workers(0));
  replay::require_made_from(*runs.expected, runs.observed, options.reference.string(), options.observed.string());
  replay::require_same_run(runs.observed, *runs.expected, names);
}

// When the run began, as the header of a .prv file tells it; in UTC, so that equal archives make equal traces. Of an
// archive that does not tell it: the begin of 1970.
std::string date_of(const archive::Definitions& definitions) {
  const auto began = static_cast<std::time_t>(definitions.start_realtime_ns / 1'000'000'000);
  std::tm date{};
  ::gmtime_r(&began, &date);
  return fmt::format("{:%d/%m/%Y at %H:%M}", date);
}

struct ToConvert {
  viewer::Runs runs;
  std::string date;
};

ToConvert open_runs(const ConvertArguments& options, const Scratch& scratch) {
  archive::Reader reader(options.observed);
  replay::require_observed(reader.definitions(), options.observed.string(), "convert");
  replay::CompileSummary summary;
  ToConvert opened{
      .runs = {.observed = replay::program_of(reader, summary, &workers(0)), .expected = {}, .comparison = {}},
      .date = date_of(reader.definitions()),
  };
  print_remarks(options.observed, summary);
  opened.runs.observed_name = options.observed.string();
  opened.runs.reference_name = options.reference.string();
  if (options.reference.empty()) return opened;
  open_reference(opened.runs, options, scratch);
  for (const std::string& remark : opened.runs.expected->remarks) fmt::print(stderr, "plumbline: {}\n", remark);
  return opened;
}

// A file that appears whole or not at all, or a pipe.
class ConvertedFile {
 public:
  ConvertedFile(const fs::path& path, Overwrite overwrite) {
    if (!is_stream(path)) staged_ = std::make_unique<StagedOutput>(path, StagedOutput::Kind::kFile, overwrite);
    const fs::path& name = staged_ ? staged_->staging() : path;
    file_.open(name, std::ios::binary | std::ios::out);
    if (!file_) throw_system_error(path.string(), "cannot be written", errno);
  }
  std::ostream& stream() { return file_; }
  void commit() {
    file_.close();
    if (staged_) staged_->commit();
  }

 private:
  std::unique_ptr<StagedOutput> staged_;
  std::ofstream file_;
};

using MatchesOf = std::function<viewer::Matches()>;

viewer::ExportSummary write(const ConvertArguments& options, std::string_view format, const ToConvert& opened,
                            const MatchesOf& matches, Progress& progress) {
  const viewer::Runs& runs = opened.runs;
  if (options.output == "-") return viewer::write_csv(runs, std::cout, &progress);
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  ConvertedFile file(options.output, overwrite);
  viewer::ExportSummary summary;
  if (format == kCsv) summary = viewer::write_csv(runs, file.stream(), &progress);
  if (format == kPerfetto) summary = viewer::write_perfetto(runs, matches(), file.stream(), &progress);
  if (format == kParaver) {
    ConvertedFile labels(fs::path(options.output).replace_extension(".pcf"), overwrite);
    ConvertedFile names(fs::path(options.output).replace_extension(".row"), overwrite);
    summary = viewer::write_prv(runs, matches(), opened.date, file.stream(), &progress);
    viewer::write_pcf(runs, labels.stream());
    viewer::write_row(runs, names.stream());
    labels.commit();
    names.commit();
  }
  file.commit();
  return summary;
}

void check_outputs(const ConvertArguments& options, std::string_view format) {
  if (options.output == "-") return;
  const Overwrite overwrite = options.force ? Overwrite::kYes : Overwrite::kNo;
  for (const char* const end : {"", ".pcf", ".row"}) {
    if (*end != '\0' && format != kParaver) continue;
    const fs::path output = *end == '\0' ? options.output : fs::path(options.output).replace_extension(end);
    require_distinct(output, {options.observed, options.reference});
    require_writable(output, overwrite);
  }
}

int run_convert(const ConvertArguments& options) {
  const std::string format = format_of(options);
  require_archive(options.observed);
  if (!options.reference.empty()) require_archive(options.reference);
  check_outputs(options, format);
  const Scratch scratch = scratch_in(fs::absolute(archive::find_anchor(options.observed)).parent_path());
  const ToConvert opened = open_runs(options, scratch);
  const viewer::Runs& runs = opened.runs;
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    operations += runs.observed.rank(rank).operations.size();
  Progress progress("converting", operations * (runs.is_compared() && format != kCsv ? 2 : 1));
  const MatchesOf matches = [&] { return viewer::match_operations(runs.observed, scratch); };
  const viewer::ExportSummary summary = write(options, format, opened, matches, progress);
  if (options.output == "-") return 0;
  fmt::print(stderr, "plumbline: {} operations of {} ranks{} -> {}\n", summary.operations, runs.observed.ranks(),
             format == kCsv ? "" : fmt::format(", {} messages", summary.messages), options.output.string());
  if (summary.backwards > 0)
    fmt::print(stderr, "plumbline: {} messages were received before they were sent, by the clocks; they are left out\n",
               summary.backwards);
  return 0;
}

}  // namespace

Run declare_convert(CLI::App& app) {
  const auto options = std::make_shared<ConvertArguments>();
  app.add_option("OBS", options->observed, "observed archive")->required();
  app.add_option("EXP", options->reference, "expected archive, or a second observed one as the reference");
  app.add_option("-o,--output", options->output, "file to write; with csv also -, standard output")
      ->required()
      ->type_name("OUT");
  app.add_option("--to", options->format, "perfetto, csv or paraver; default: by the end of OUT")
      ->check(CLI::IsMember({std::string(kPerfetto), std::string(kCsv), std::string(kParaver)}).description(""))
      ->type_name("FORMAT");
  app.add_flag("--force", options->force, "replace what is there");
  app.footer(
      "Perfetto: observed and expected as two processes, ranks as threads, messages as flows; opens in\n"
      "ui.perfetto.dev, also without a network. CSV: one line an operation, times in picoseconds. Paraver: OUT.prv\n"
      "with its .pcf and .row; observed and expected are two applications.\n\n"
      "  plumbline convert observed expected -o run.pftrace\n"
      "  plumbline convert observed expected -o run.prv\n"
      "  plumbline convert observed expected --to csv -o - | sort -t, -k19,19nr | head");
  return [options] { return run_convert(*options); };
}

}  // namespace plumbline::cli
