// What an export costs: operations per second of CPU time and bytes an operation, of observed and expected together.
// Usage: viewer_export_bench [operations] [ranks]

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"
#include "viewer/export/csv.hpp"
#include "viewer/export/paraver.hpp"
#include "viewer/export/perfetto.hpp"
#include "viewer/index/matches/match_operations.hpp"

namespace plumbline::viewer {
namespace {

using perf::cpu_seconds;
using replay::Operation;
using replay::OpKind;

// A ring: each rank posts a receive from one neighbour and a send to the other, and waits for both.
class Ring {
 public:
  Ring(const std::filesystem::path& file, std::uint32_t ranks) : builder_(file), ranks_(ranks) {
    std::vector<std::uint32_t> everybody(ranks);
    std::iota(everybody.begin(), everybody.end(), 0U);
    world_ = builder_.comm(everybody);
    site_ = builder_.site("exchange (ring.c:88)");
  }

  replay::Program make(std::uint32_t rounds) {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      builder_.begin_rank(builder_.node(fmt::format("n{}", rank / 32)), 32);
      now_ = Time{std::int64_t{rank} * 1000};
      const std::uint32_t both = builder_.add_requests(std::vector<std::uint32_t>{0, 1});
      for (std::uint32_t round = 0; round < rounds; ++round) {
        add(OpKind::kIrecv, "MPI_Irecv", (rank + ranks_ - 1) % ranks_, 0);
        add(OpKind::kIsend, "MPI_Isend", (rank + 1) % ranks_, 1);
        add(OpKind::kWait, "MPI_Waitall", replay::kNone, both);
      }
      builder_.end_rank(2);
    }
    return builder_.finish();
  }

 private:
  void add(OpKind kind, const char* call, std::uint32_t peer, std::uint32_t extra) {
    Operation operation;
    operation.kind = kind;
    operation.call = builder_.call(call);
    operation.site = site_;
    operation.extra = extra;
    if (peer != replay::kNone) {
      operation.comm = world_;
      operation.peer = static_cast<std::int32_t>(peer);
      operation.tag = 7;
      operation.bytes = 4096;
    }
    const Time begin = now_ + nanoseconds(700);
    now_ = begin + nanoseconds(kind == OpKind::kWait ? 5300 : 450);
    builder_.add(operation, {begin, now_});
  }

  replay::ProgramBuilder builder_;
  std::uint32_t ranks_, world_ = 0, site_ = 0;
  Time now_;
};

Runs ring_runs(const std::filesystem::path& directory, std::uint32_t ranks, std::uint32_t rounds) {
  Runs runs{.observed = Ring(directory / "program", ranks).make(rounds), .expected = {}, .comparison = {}};
  replay::Expected& expected = runs.expected.emplace();
  expected.scratch = scratch_in(directory);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    replay::ExpectedRank columns = replay::columns_in(expected.scratch);
    for (const replay::OperationTimes& times : runs.observed.rank(rank).times) {
      const Duration least{(times.end - times.begin).ps * 4 / 5};
      columns.free.push_back({times.begin, times.begin + least});
      for (auto* column : {&columns.lower, &columns.upper, &columns.as_run, &columns.as_run_upper})
        column->push_back(least);
      columns.band.push_back(least);
      columns.ideal_io.push_back(0);
      columns.not_judged.push_back(replay::kNone);
    }
    expected.ranks.push_back(std::move(columns));
  }
  return runs;
}

void tell(const char* what, std::uint64_t operations, const std::function<void(std::ostream&)>& write) {
  const test::TemporaryDirectory directory;
  const std::filesystem::path file = directory / "out";
  const double begin = cpu_seconds();
  {
    std::ofstream out(file, std::ios::binary);
    write(out);
  }
  const double seconds = cpu_seconds() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{:10} {:6.2f} million operations/s, {:5.0f} B an operation, {:.2f} GB resident so far\n", what,
             static_cast<double>(operations) * 1e-6 / seconds,
             static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(operations),
             static_cast<double>(usage.ru_maxrss) * 1024e-9);
}

void run(std::uint64_t operations, std::uint32_t ranks) {
  const test::TemporaryDirectory directory;
  const auto rounds = static_cast<std::uint32_t>(operations / ranks / 3);
  const Runs runs = ring_runs(directory.path(), ranks, rounds);
  const std::uint64_t made = std::uint64_t{rounds} * ranks * 3;
  fmt::print("{} operations, {} ranks, each observed and expected\n", made, ranks);
  tell("csv", made, [&](std::ostream& out) { write_csv(runs, out); });
  const double begin = cpu_seconds();
  const Matches matches = match_operations(runs.observed, runs.expected->scratch);
  fmt::print("{:10} {:6.2f} million operations/s\n", "matching",
             static_cast<double>(made) * 1e-6 / (cpu_seconds() - begin));
  tell("perfetto", made, [&](std::ostream& out) { write_perfetto(runs, matches, out); });
  tell("paraver", made, [&](std::ostream& out) { write_prv(runs, matches, "01/01/2026 at 00:00", out); });
}

}  // namespace
}  // namespace plumbline::viewer

int main(int argc, char** argv) {
  const std::uint64_t operations = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 3'000'000;
  const auto ranks = static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 128);
  plumbline::viewer::run(operations, ranks);
}
