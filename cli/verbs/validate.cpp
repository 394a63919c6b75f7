#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "cli/jobs.hpp"
#include "cli/numbers.hpp"
#include "cli/text_output.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"
#include "cli/workflows/validate/validate.hpp"
#include "cli/workflows/view/validation_page.hpp"
#include "replay/validate/report/json.hpp"
#include "replay/validate/report/text.hpp"
#include "replay/validate/report/verdict.hpp"

namespace plumbline::cli {
namespace {

struct ValidateArguments {
  validate::Options options;
  std::string mpi;
  bool quick = false, full = false, json = false, details = false, dry_run = false;
  Colour colour = Colour::kAuto;
};

// As the user typed it, by the kernel; words with blanks in quotes.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline");
  std::string line, word;
  while (std::getline(file, word, '\0'))
    line += (line.empty() ? "" : " ") + (word.find(' ') == std::string::npos ? word : "'" + word + "'");
  return line;
}

validate::Options options_of(const ValidateArguments& arguments) {
  if (arguments.quick && arguments.full)
    throw Error("", "--quick and --full exclude each other", "give one of them", ExitCode::kWrongUse);
  validate::Options options = arguments.options;
  options.version = version_number();
  options.command = command_line();
  options.level = arguments.quick  ? validate::Level::kQuick
                  : arguments.full ? validate::Level::kFull
                                   : validate::Level::kDefault;
  if (arguments.mpi == "both")
    options.mpis = {"openmpi", "mpich"};
  else if (!arguments.mpi.empty())
    options.mpis = {arguments.mpi};
  return options;
}

// The report is whole without it, so nothing that goes wrong here may take the answer away.
void add_timeline(const std::filesystem::path& directory) {
  std::string why;
  try {
    return view::add_timeline(directory, version_number());
  } catch (const Error& error) {
    why = to_string(error.problems().front());
  } catch (const std::exception& error) {
    why = fmt::format("a fault of Plumbline: {}", error.what());
  }
  fmt::print(stderr, "{}: has no timeline: {}\n", (directory / "report.html").string(), why);
}

int run_validate(const ValidateArguments& arguments) {
  const validate::Options options = options_of(arguments);
  if (arguments.dry_run) {
    for (const std::string& step : validate::steps_of(options)) fmt::print("{}\n", step);
    return 0;
  }
  const replay::validate::Validation validation = validate::run(options);
  add_timeline(options.directory);
  if (arguments.json) {
    fmt::print("{}", replay::validate::json_text(validation));
  } else {
    replay::validate::TextOptions text;
    text.details = arguments.details;
    text.width = static_cast<std::size_t>(terminal_width());
    text.color = use_colour(arguments.colour, STDOUT_FILENO);
    text.elsewhere = fmt::format("Full report: {0}/report.html, {0}/report.json", options.directory.string());
    fmt::print("{}", replay::validate::to_text(validation, text));
  }
  return static_cast<int>(replay::validate::exit_code(validation));
}

void declare_where(CLI::App& app, ValidateArguments& arguments) {
  validate::Options& options = arguments.options;
  app.add_option("-o,--output", options.directory, "directory for the report, platforms, archives and raw samples")
      ->default_str("validation")
      ->type_name("DIR");
  app.add_option("--mpi", arguments.mpi, "which MPI; default: the first that is installed")
      ->check(CLI::IsMember({"openmpi", "mpich", "both"}).description(""))
      ->type_name("openmpi|mpich|both");
  app.add_option("--launcher", options.launcher, "words in front of the program, as 'srun -n 64'")->type_name("WORDS");
  app.add_option("--hosts", options.hosts, "file with a host a line, as 'n0' or 'n0 slots=2'")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_option("--per-node", options.per_node, "ranks on each node; default: one for each core, at most 16")
      ->check(whole_number())
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
  app.add_option("--io", options.io, "directory whose storage is used; may be given again")
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("DIR");
}

void declare_what(CLI::App& app, ValidateArguments& arguments) {
  validate::Options& options = arguments.options;
  app.add_flag("--quick", arguments.quick, "under three minutes on one machine");
  app.add_flag("--full", arguments.full, "more sizes and more runs");
  app.add_option("--suite", options.suite, "the programs to run, as TOML; default: those of the level")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_option("--program", options.programs,
                 "a program of your own with its launcher, in quotes; may be given again")
      ->type_name("CMD");
  app.add_option("--only", options.only,
                 "these checks alone; '*' stands for any characters (plumbline explain lists them)")
      ->type_name("ID");
  app.add_option("--baseline", options.baseline, "report.json of an earlier validation: what has become slower")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("REPORT");
  app.add_option("--nominal", options.nominal, "platform with the data of the hardware: what falls short of it")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  app.add_option("--suppress", options.suppress, "findings that do not count: a line each, ID [COMPONENT] [# reason]")
      ->check(CLI::ExistingFile.description(""))
      ->type_name("FILE");
  declare_jobs(app, options.jobs);
  app.add_flag("--try-advice", options.try_advice, "follow the advice and measure what it saves");
}

}  // namespace

Run declare_validate(CLI::App& app) {
  const auto arguments = std::make_shared<ValidateArguments>();
  arguments->options.directory = "validation";
  arguments->options.jobs = 0;
  declare_where(app, *arguments);
  declare_what(app, *arguments);
  app.add_flag("--resume", arguments->options.resume, "go on where an earlier validation of this directory stopped");
  app.add_flag("--force", arguments->options.force, "begin anew in a directory that has a validation");
  app.add_flag("--dry-run", arguments->dry_run, "say what would be done, and how long it takes");
  app.add_flag("--json", arguments->json, "print the report as JSON instead of text");
  app.add_flag("--details", arguments->details, "all of the report: evidence, re-tests, observations, every check");
  app.add_option("--color", arguments->colour, "auto, always or never; NO_COLOR is honoured")
      ->transform(
          CLI::CheckedTransformer(std::map<std::string, Colour>{
                                      {"auto", Colour::kAuto}, {"always", Colour::kAlways}, {"never", Colour::kNever}})
              .description(""))
      ->type_name("WHEN");
  app.footer(
      "Four stages: a pre-flight (who runs where, how nodes are set up), measuring (the platform, and rules that need "
      "no\n"
      "reference), a suite of small programs under `plumbline record`, and replay, comparison and diagnosis. What "
      "looks "
      "slow\n"
      "is measured again before it is a finding; a finding says what it costs, who has set what, and which lines mend "
      "it.\n"
      "Exit status: 0 no findings, 1 findings, 3 bad input, 4 a baseline of another machine, 5 too noisy to tell, 6 "
      "cannot run here.\n\n"
      "  plumbline validate --quick                             this machine, one MPI\n"
      "  plumbline validate --mpi both -o /scratch/validation   both, with more sizes and repetitions\n"
      "  plumbline validate --launcher 'srun -n 64'             in an allocation; Slurm's variables are found by "
      "themselves\n"
      "  plumbline validate --hosts hosts.txt --per-node 2\n"
      "  plumbline validate --quick --baseline last-month/report.json --suppress known.txt\n"
      "  plumbline explain net.link.rate                        what a check is, and how to mend what it finds");
  return [arguments] { return run_validate(*arguments); };
}

}  // namespace plumbline::cli
