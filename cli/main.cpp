#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/files/standard_streams.hpp"
#include "base/files/unfinished.hpp"
#include "cli/man.hpp"
#include "cli/team.hpp"
#include "cli/verb.hpp"
#include "cli/version.hpp"

namespace {

using plumbline::Error;
using plumbline::ExitCode;

constexpr char kAbout[] =
    "Records a real MPI program, works out how long each operation should have taken on this machine, and shows where "
    "it\n"
    "did not.\n\n"
    "  plumbline calibrate --quick -o platform.xml       measure the machine, once\n"
    "  plumbline record -o OBS -- mpirun -n 4 ./app      record the program\n"
    "  plumbline replay OBS -p platform.xml -o EXP       what should have come out\n"
    "  plumbline compare OBS EXP                         where it did not";

constexpr char kExitCodes[] =
    "Exit codes: 0 as expected, 1 findings, 2 wrong use, 3 bad or unreadable input, 4 not comparable, 5 too noisy to "
    "tell,\n"
    "6 cannot run here (a privilege or a tool is missing), 70 and above: a fault of Plumbline. `record` passes on the\n"
    "program's own status.";

int status_of(ExitCode code) { return static_cast<int>(code); }

// CLI11 would only say that a subcommand is required.
void require_known_verb(const std::string& word) {
  if (word.starts_with('-')) return;
  std::string names;
  for (const plumbline::cli::Verb& verb : plumbline::cli::verbs()) {
    if (verb.name == word) return;
    names += (names.empty() ? "" : ", ") + std::string(verb.name);
  }
  throw Error("", "there is no verb '" + word + "'", "one of " + names + "; see plumbline --help", ExitCode::kWrongUse);
}

int run(int argc, char** argv) {
  CLI::App app{kAbout, "plumbline"};
  app.footer(kExitCodes);
  app.set_version_flag("--version", plumbline::cli::version_text());
  app.failure_message(CLI::FailureMessage::help);
  plumbline::cli::Run chosen;
  plumbline::cli::declare_all(app, chosen);
  if (argc == 1) {
    std::fputs(app.help().c_str(), stderr);
    return status_of(ExitCode::kWrongUse);
  }
  if (argc == 3 && std::string(argv[1]) == "--write-man-pages") return plumbline::cli::write_man_pages(app, argv[2]);
  require_known_verb(argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& wrong) {
    std::fprintf(stderr, "plumbline: %s\n", wrong.what());
    const auto chosen_verbs = app.get_subcommands();
    if (dynamic_cast<const CLI::ExtrasError*>(&wrong) != nullptr && std::string(argv[1]) == "record")
      std::fputs("The recorded command stands after --: plumbline record -o observed -- mpirun -n 4 ./app\n", stderr);
    std::fprintf(stderr, "Try: plumbline %s--help\n",
                 chosen_verbs.empty() ? "" : (chosen_verbs[0]->get_name() + " ").c_str());
    return status_of(ExitCode::kWrongUse);
  }
  return chosen();
}

// What was printed must have arrived: a full disk is no success. A reader that has left (a pipe to head) ends us by its
// signal before.
int with_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  std::fprintf(stderr, "plumbline: standard output cannot be written: %s\n", std::strerror(errno));
  return status_of(ExitCode::kBadInput);
}

int report_fault(const char* text) {  // as base/check.cpp does where nobody waits for it
  std::fprintf(
      stderr,
      "plumbline: %s\nThis is a fault of Plumbline, not of your input. Please report it with the command line.\n",
      text);
  return status_of(ExitCode::kInternal);
}

}  // namespace

int main(int argc, char** argv) {
  plumbline::survive_lost_streams();
  plumbline::remove_unfinished_when_ended();
  try {
    return with_output(
        plumbline::cli::run_with_team({argv, static_cast<std::size_t>(argc)}, [&] { return run(argc, argv); }));
  } catch (const Error& error) {
    for (const auto& problem : error.problems())
      std::fprintf(stderr, "plumbline: %s\n", plumbline::to_string(problem).c_str());
    return status_of(error.code());
  } catch (const std::filesystem::filesystem_error& error) {  // too long a name, no permission, a disk that is full, ..
    const plumbline::Problem problem{error.path1().string(), error.code().message(), "check the name and its rights"};
    std::fprintf(stderr, "plumbline: %s\n", plumbline::to_string(problem).c_str());
    return status_of(ExitCode::kBadInput);
  } catch (const plumbline::InternalFault& fault) {
    return report_fault(fault.what());
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return with_output(0);
    std::fprintf(stderr, "plumbline: internal fault: %s\nThis is a fault of Plumbline, not of your input.\n",
                 error.what());
    return status_of(ExitCode::kInternal);
  }
}
