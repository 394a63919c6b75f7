// What comparing takes, part by part: reading the expected archive by one process and by several, in turn, and holding
// it against the observed one. The workload halo2d on 256 nodes, whose expected archive says that all is as it was.
//
// usage: compare_bench [ITERATIONS [RUNS [PROCESSES]]]     defaults 1000 5 2
//
// Seconds by the clock; of reading the CPU seconds of all processes too.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "base/team/forked.hpp"
#include "halo_archive.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/expect/archive/read_together.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/report/make_report.hpp"
#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {
namespace {

namespace fs = std::filesystem;

// Everything takes what it took, and is judged.
Expected as_observed(const Program& program) {
  Expected expected;
  for (std::uint32_t number = 0; number < program.ranks(); ++number) {
    ExpectedRank& rank = expected.ranks.emplace_back();
    for (const OperationTimes& times : program.rank(number).times) {
      const Duration took = times.end - times.begin;
      rank.free.push_back(times);
      for (auto* const column : {&rank.lower, &rank.upper, &rank.as_run, &rank.as_run_upper}) column->push_back(took);
      rank.band.push_back(Duration{});
      rank.ideal_io.push_back(0);
      rank.not_judged.push_back(kNone);
    }
  }
  expected.source = program.property("source");
  return expected;
}

struct Took {
  double wall = 0, cpu = 0;
};

template <class Work>
Took time_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = perf::cpu_seconds_of_all();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  return {wall.count(), perf::cpu_seconds_of_all() - cpu};
}

void print(const char* what, const Took& took, double operations) {
  fmt::print("{:28} {:7.3f} s, {:6.1f} ns per operation; CPU {:7.3f} s\n", what, took.wall,
             took.wall * 1e9 / operations, took.cpu);
  std::fflush(stdout);
}

void run(std::uint32_t iterations, int runs, std::uint32_t processes) {
  const test::TemporaryDirectory directory;
  perf::Halo halo;
  halo.iterations = iterations;
  perf::write_halo_archive(directory / "observed", halo);
  archive::Reader observed(directory / "observed");
  CompileSummary summary;
  const Program program = program_of(observed, summary);
  write_expected(observed, as_observed(program), {}, directory / "expected", Overwrite::kNo);
  const auto operations = static_cast<double>(summary.operations);
  fmt::print("{:.0f} operations\n", operations);
  for (int i = 0; i < runs; ++i) {
    archive::Reader reader(directory / "expected");
    const Scratch scratch = scratch_in(directory.path());
    print("read by one process", time_of([&] { read_ranks(reader, {0, program.ranks()}, scratch); }), operations);
    ForkedWorkers workers(processes);
    const std::string by_several = fmt::format("read by {}", processes);
    print(by_several.c_str(), time_of([&] { PLUMBLINE_CHECK(read_ranks_together(workers, reader), "they can"); }),
          operations);
    const Expected expected = read_expected(reader, scratch);
    print("compared", time_of([&] { make_report(program, expected, {}); }), operations);
  }
}

}  // namespace
}  // namespace plumbline::replay

int main(int argc, char** argv) {
  plumbline::replay::run(argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 1000,
                         argc > 2 ? std::atoi(argv[2]) : 5,
                         argc > 3 ? static_cast<std::uint32_t>(std::atoi(argv[3])) : 2);
  return 0;
}
