// What the compiler costs per event above reading OTF2: a halo exchange of one rank, fed from memory.
// Usage: compile_bench [iterations]
//
// What an archive takes from its files to a program that is open, with one process and with several, in turn.
// Usage: compile_bench --together ARCHIVE [RUNS [PROCESSES]]

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/team/forked.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_together.hpp"
#include "replay/program/compile/content_hash.hpp"
#include "replay/program/compile/location/compiler.hpp"
#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

using archive::Event;
using archive::EventKind;

enum Region : std::uint32_t { kIsend, kIrecv, kWaitall, kRegions };

archive::Definitions definitions() {
  archive::Definitions d;
  for (const char* name : {"MPI_Isend", "MPI_Irecv", "MPI_Waitall"})
    d.regions.push_back({d.strings.intern(name), archive::Role::kPointToPoint, archive::Paradigm::kMpi});
  d.properties[archive::names::kPropertyKind] = "observed";
  for (std::uint32_t rank = 0; rank < 5; ++rank) d.locations.emplace_back().rank = rank;
  d.comms.emplace_back().members = {0, 1, 2, 3, 4};
  return d;
}

// One iteration: four receives and four sends are posted and waited for; 34 events, 9 operations.
std::vector<Event> halo_exchange() {
  std::vector<Event> events;
  std::int64_t ns = 0;
  const auto add = [&](EventKind kind, std::uint32_t region, std::uint32_t peer, std::uint64_t request) {
    Event event;
    event.kind = kind;
    event.region = region;
    event.comm = 0;
    event.peer = peer;
    event.bytes = 1024;
    event.request = request;
    event.time = Time{} + nanoseconds(ns += 100);
    events.push_back(event);
  };
  for (std::uint32_t i = 0; i < 8; ++i) {
    const bool receives = i < 4;
    add(EventKind::kEnter, receives ? kIrecv : kIsend, 0, 0);
    add(receives ? EventKind::kMpiIrecvRequest : EventKind::kMpiIsend, 0, 1 + i % 4, i);
    add(EventKind::kLeave, receives ? kIrecv : kIsend, 0, 0);
  }
  add(EventKind::kEnter, kWaitall, 0, 0);
  for (std::uint32_t i = 0; i < 8; ++i)
    add(i < 4 ? EventKind::kMpiIrecv : EventKind::kMpiIsendComplete, 0, 1 + i % 4, i);
  add(EventKind::kLeave, kWaitall, 0, 0);
  return events;
}

void run(std::uint64_t iterations) {
  const test::TemporaryDirectory directory;
  const archive::Definitions d = definitions();
  ProgramBuilder builder(directory / "program");
  CompileContext context(d, "bench", builder);
  std::vector<Event> events = halo_exchange();
  const Duration length = events.back().time - Time{};
  builder.begin_rank(builder.node("n0"), 0);
  LocationCompiler compiler(context, 0, {});
  const double begin = perf::cpu_seconds();
  for (std::uint64_t i = 0; i < iterations; ++i) {
    for (std::size_t k = 0; k < events.size(); ++k) {
      compiler.event(events[k]);
      events[k].time += length;
      events[k].request += 8;
    }
  }
  compiler.finish();
  const double compiling = (perf::cpu_seconds() - begin) * 1e9;
  const double operations = builder.operations();
  builder.end_rank(compiler.request_slots());
  for (int rank = 1; rank < 5; ++rank) {
    builder.begin_rank(0, 0);
    builder.end_rank(0);
  }
  builder.finish();
  const double all = (perf::cpu_seconds() - begin) * 1e9;
  const double n = static_cast<double>(iterations * events.size());
  fmt::print(
      "compile: {:.1f} ns per event, {:.1f} ns per operation ({:.1f} million operations/s); with writing, mapping "
      "and checking the file {:.1f} ns per operation\n",
      compiling / n, compiling / operations, operations / compiling * 1e3, all / operations);
}

// The key of the program.
std::uint64_t compile_once(const std::filesystem::path& archive, std::uint32_t processes) {
  const test::TemporaryDirectory directory;
  archive::Reader reader(archive);
  CompileSummary summary;
  ForkedWorkers workers(processes);
  const auto begin = std::chrono::steady_clock::now();
  const double cpu = perf::cpu_seconds_of_all();
  const Program program =
      processes > 1 ? compile_together(workers, reader, directory / "program", summary, "bench", Damage::kRefuse)
                    : compile(reader, directory / "program", summary, "bench");
  const double all = perf::cpu_seconds_of_all() - cpu;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const auto operations = static_cast<double>(summary.operations);
  fmt::print("{:2} processes: {:7.3f} s, {:6.1f} ns per operation; CPU {:7.3f} s, {:6.1f} ns\n", processes,
             wall.count(), wall.count() * 1e9 / operations, all, all * 1e9 / operations);
  std::fflush(stdout);
  return program.content_key();
}

template <class Work>
void print_time(const char* what, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  fmt::print("{}: {:.3f} s\n", what, wall.count());
}

// What one process does in any case.
void print_parts(const std::filesystem::path& archive) {
  const test::TemporaryDirectory directory;
  CompileSummary summary;
  print_time("its hash", [&] { content_hash(archive); });
  print_time("opening it", [&] { archive::Reader{archive}; });
  archive::Reader reader(archive);
  compile(reader, directory / "program", summary, "bench");
  print_time("opening the program", [&] { Program::open(directory / "program"); });
}

int compare(const std::filesystem::path& archive, int runs, std::uint32_t processes) {
  print_parts(archive);
  for (int run = 0; run < runs; ++run)
    if (compile_once(archive, 1) != compile_once(archive, processes)) {
      fmt::print("the programs differ\n");
      return 1;
    }
  return 0;
}

}  // namespace
}  // namespace plumbline::replay

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "--together") {
    return plumbline::replay::compare(argv[2], argc > 3 ? std::atoi(argv[3]) : 5,
                                      argc > 4 ? static_cast<std::uint32_t>(std::atoi(argv[4])) : 2);
  }
  plumbline::replay::run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200'000);
  return 0;
}
