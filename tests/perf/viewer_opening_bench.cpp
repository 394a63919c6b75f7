// What opening a run and its expectation in the viewer takes, the first time and again, beside what libotf2 itself
// takes to read the events of both archives with callbacks that do nothing. The workload halo2d on 256 nodes.
//
// usage: viewer_opening_bench PLUMBLINE PLATFORM [ITERATIONS]     default 1000: 2.3 million operations; 4350: 10
// million

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "bare_otf2.hpp"
#include "base/check.hpp"
#include "base/error.hpp"
#include "halo_archive.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay_bench.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/read/reader.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/runs/marks.hpp"

namespace {

using namespace plumbline;
namespace fs = std::filesystem;

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds_of(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string word;
  double ticks = 0;
  for (int field = 1; field <= 15 && stat >> word; ++field)
    if (field >= 14) ticks += std::strtod(word.c_str(), nullptr);  // user and system time
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double memory_mib_of(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  double kib = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kib;
  return kib / 1024;
}

// A child whose standard output is the pipe.
std::pair<pid_t, int> started(const std::vector<std::string>& words) {
  int ends[2];
  PLUMBLINE_CHECK(pipe(ends) == 0, "a pipe can be made");
  std::fflush(stdout);
  const pid_t child = fork();
  PLUMBLINE_CHECK(child >= 0, "a process can be made");
  if (child == 0) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    dup2(ends[1], STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  return {child, ends[0]};
}

void run(const std::vector<std::string>& words) {
  const auto [child, output] = started(words);
  char ignored[4096];
  while (::read(output, ignored, sizeof ignored) > 0) {
  }
  close(output);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(words[0], fmt::format("ended with status {}", status));
}

// From the start until it says where it serves.
void time_opening(const char* what, const std::vector<std::string>& words) {
  const double begin = wall_seconds();
  const auto [child, output] = started(words);
  char said = 0;
  const bool serves = ::read(output, &said, 1) == 1;
  const double wall = wall_seconds() - begin;
  if (serves)
    fmt::print("{}: {:.2f} s, {:.2f} s CPU; at most {:.0f} MiB resident, with what is mapped\n", what, wall,
               cpu_seconds_of(child), memory_mib_of(child));
  kill(child, SIGTERM);
  waitpid(child, nullptr, 0);
  close(output);
  if (!serves) throw Error(words[0], "does not serve");
}

double millions_of_operations(const replay::Program& program) {
  double operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    operations += static_cast<double>(program.rank(rank).operations.size());
  return operations * 1e-6;
}

void time_index(const fs::path& observed, const fs::path& expected, const fs::path& directory, double floor,
                double events) {
  replay::CompileSummary summary;
  viewer::Runs runs{.observed = replay::program_of(observed, summary), .expected = {}, .comparison = {}};
  archive::Reader reader(expected);
  runs.expected = replay::read_expected(reader, scratch_in(directory));
  viewer::set_marks(runs);
  const double before = perf::cpu_seconds();
  viewer::stored_pyramid(runs, std::vector<fs::path>{directory / "index"});
  const double index = perf::cpu_seconds() - before;
  fmt::print(
      "index of {:.1f} million operations, observed and free: {:.2f} s CPU, {:.1f} million events/s; libotf2 alone "
      "reads their {:.1f} million events in {:.2f} s\n",
      millions_of_operations(runs.observed), index, events * 1e-6 / index, events * 1e-6, floor);
}

void measure(const std::string& plumbline, const std::string& platform, const perf::Halo& halo) {
  const test::TemporaryDirectory directory;
  const fs::path observed = directory / "observed", expected = directory / "expected";
  perf::write_halo_archive(observed, halo);
  run({plumbline, "replay", observed, "-p", platform, "-o", expected});
  const perf::BareCost of_observed = perf::read_bare(observed), of_expected = perf::read_bare(expected);
  fmt::print(
      "libotf2 reads {:.1f} million events of the observed archive in {:.2f} s CPU, {:.1f} million of the expected "
      "one in {:.2f} s\n",
      static_cast<double>(of_observed.events) * 1e-6, of_observed.seconds,
      static_cast<double>(of_expected.events) * 1e-6, of_expected.seconds);
  time_index(observed, expected, directory.path(), of_observed.seconds + of_expected.seconds,
             static_cast<double>(of_observed.events + of_expected.events));
  const std::vector<std::string> view = {plumbline, "view", "--json", observed, expected};
  time_opening("opened for the first time, the program compiled", view);
  time_opening("opened again", view);
  fs::remove(observed / "plumbline.opening");
  time_opening("opened with its index alone", view);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: viewer_opening_bench PLUMBLINE PLATFORM [ITERATIONS]\n");
    return 2;
  }
  perf::Halo halo;
  if (argc > 3) halo.iterations = static_cast<std::uint32_t>(std::strtoul(argv[3], nullptr, 10));
  try {
    measure(argv[1], argv[2], halo);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return EXIT_SUCCESS;
}
