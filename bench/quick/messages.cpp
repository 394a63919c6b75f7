#include "bench/quick/messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "base/process/child.hpp"
#include "base/process/program.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kFlavours[] = {"openmpi", "mpich"};

std::string contents(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The last lines of what a failed launcher printed.
std::string tail(const std::string& text) {
  constexpr std::size_t kMost = 600;
  return text.size() <= kMost ? text : "... " + text.substr(text.size() - kMost);
}

fs::path own_directory() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path();
}

std::vector<std::string> launch_command(const MpiFlavour& flavour) {
  std::vector<std::string> command{flavour.launcher.string()};
  if (flavour.name == "openmpi") command.insert(command.end(), {"--oversubscribe", "--bind-to", "none"});
  command.insert(command.end(), {"-n", "2", flavour.probe.string()});
  return command;
}

std::vector<std::string> launch_environment(const MpiFlavour& flavour) {
  if (flavour.name != "openmpi" || ::geteuid() != 0) return {};
  return {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
}

void parse_block(std::istringstream& words, const std::string& name, int line, Measurements& into) {
  std::string series_name;
  Sample sample;
  if (!(words >> series_name >> sample.size >> sample.round >> sample.rank))
    throw Error(fmt::format("{}:{}", name, line), "not a block of samples");
  std::vector<Sample>& samples = series(into, series_name, "ns").samples;
  while (words >> sample.value) samples.push_back(sample);
}

}  // namespace

MpiFlavour choose_flavour(const QuickOptions& options) {
  std::string missing;
  for (const std::string name : kFlavours) {
    if (!options.mpi.empty() && options.mpi != name) continue;
    MpiFlavour flavour{name, find_program(options.launcher.empty() ? "mpirun." + name : options.launcher),
                       options.probe};
    if (flavour.probe.empty()) flavour.probe = own_directory() / "../lib/plumbline" / ("plumbline-probe-" + name);
    const bool probe_there = ::access(flavour.probe.c_str(), X_OK) == 0;
    if (!flavour.launcher.empty() && probe_there) return flavour;
    if (flavour.launcher.empty())
      missing += fmt::format("{}no {}", missing.empty() ? "" : ", ",
                             options.launcher.empty() ? "mpirun." + name : options.launcher);
    else
      missing += fmt::format("{}no {}", missing.empty() ? "" : ", ", flavour.probe.lexically_normal().string());
  }
  if (missing.empty())
    throw Error("--mpi", fmt::format("'{}' is not known", options.mpi), "openmpi or mpich", ExitCode::kWrongUse);
  throw Error("", "no MPI to measure with: " + missing,
              "install openmpi-bin or mpich, and build Plumbline with libopenmpi-dev or libmpich-dev installed",
              ExitCode::kCannotRunHere);
}

void measure_messages(const MpiFlavour& flavour, double seconds, const std::function<void(double)>& progress,
                      Measurements& into) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const fs::path output = scratch.path() / "samples", log = scratch.path() / "log";
  std::vector<std::string> command = launch_command(flavour);
  command.insert(command.end(), {output.string(), fmt::format("{}", seconds)});
  Child child(command, launch_environment(flavour), log);
  const Clock::time_point begin = Clock::now();
  const std::string where =
      fmt::format("{} of {}", flavour.launcher.filename().string(), flavour.probe.filename().string());
  while (child.running()) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (elapsed > 2 * seconds + 15)
      throw Error(where, fmt::format("did not end after {:.0f} s", elapsed),
                  "is the machine overloaded? try again with fewer programs beside it", ExitCode::kTooNoisy);
    if (progress) progress(std::min(1.0, elapsed / seconds));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (const std::string failure = child.failure(); !failure.empty())
    throw Error(where, fmt::format("{}:\n{}", failure, tail(contents(log))),
                "check that it runs any program: " + command[0] + " -n 2 hostname", ExitCode::kCannotRunHere);
  into.environment.mpi_flavour = flavour.name;
  parse_probe_output(contents(output), where, into);
}

void parse_probe_output(const std::string& text, const std::string& name, Measurements& into) {
  std::istringstream lines(text);
  std::string line;
  bool complete = false;
  if (!std::getline(lines, line) || line != "plumbline-probe 1")
    throw Error(name + ":1", "is not the output of this version's probe", "build and install Plumbline as a whole");
  for (int number = 2; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "block")
      parse_block(words, name, number, into);
    else if (word == "library")
      into.environment.mpi = line.substr(line.find(' ') + 1);
    else if (word == "late")
      words >> into.environment.late_ns;
    else if (word == "switches")
      words >> into.environment.involuntary_switches;
    else if (word == "end")
      complete = true;
    else
      throw Error(fmt::format("{}:{}", name, number), fmt::format("unknown line '{}'", word));
  }
  if (!complete)
    throw Error(name, "ended before it had written everything", "is there space in the temporary directory?");
}

}  // namespace plumbline::bench
