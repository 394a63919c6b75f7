// Operations per second and core that `plumbline assemble` takes, for each kind of operation, beside the floor: libotf2
// alone, given the same events. And the memory of a short and of a long run.
// usage: assemble_bench [MILLIONS OF OPERATIONS [KIND]]

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <functional>
#include <string_view>
#include <vector>

#include "base/team/forked.hpp"
#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/long_spool.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/assemble.hpp"

namespace plumbline {
namespace {

using archive::Event;
using record::test::LongSpool;

struct Usage {
  double cpu_seconds = 0, system_seconds = 0, mebibytes = 0;
};

// In a process of its own, so that its memory is its own.
Usage usage_of(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status != 0) std::exit(1);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), seconds(usage.ru_stime),
          static_cast<double>(usage.ru_maxrss) / 1024};
}

// Writes the events of an archive again, `times` times, as they are in memory; its own time is not counted in.
double floor_seconds(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t times) {
  archive::Reader reader(from);
  std::vector<Event> events;
  std::deque<std::vector<archive::AttributeValue>> attributes;
  reader.read(0, [&](const Event& event) {
    attributes.emplace_back(event.attributes.begin(), event.attributes.end());
    events.push_back(event);
    events.back().attributes = attributes.back();
  });
  archive::Definitions definitions = reader.definitions();
  archive::Writer writer(to, Overwrite::kYes);
  writer.declare(definitions);
  const double begin = perf::cpu_seconds();
  const Duration length = events.back().time - Time{};
  writer.begin_location(definitions.locations[0].otf2_id);
  for (std::uint64_t i = 0; i < times; ++i)
    for (Event& event : events) {
      writer.write(event);
      event.time += length;
    }
  writer.end_location();
  writer.finish(definitions);
  return perf::cpu_seconds() - begin;
}

void measure(const char* name, const std::function<void(LongSpool&)>& put, std::uint64_t operations) {
  const test::TemporaryDirectory directory;
  const auto spool_of = [&](std::uint64_t n) {
    LongSpool spool(directory.path());
    while (spool.operations() < n) put(spool);
    return spool.finish();
  };
  constexpr std::uint64_t kTimes = 10;
  const auto assemble = [&](const std::filesystem::path& spool, const char* archive) {
    return usage_of([&] { record::assemble({spool}, directory / archive, Overwrite::kYes); });
  };
  const Usage tenth = assemble(spool_of(operations / kTimes), "tenth");
  const Usage all = assemble(spool_of(operations), "all");
  const double floor = floor_seconds(directory / "tenth", directory / "floor", kTimes);
  const double n = static_cast<double>(operations);
  fmt::print(
      "  {:<33}{:>6.2f} million operations/s, {:.0f} ns each ({:.0f} in the system); libotf2 alone {:.2f}, {:.0f} ns; "
      "{:.0f} and {:.0f} MiB for {} and {} operations\n",
      name, n / all.cpu_seconds * 1e-6, all.cpu_seconds / n * 1e9, all.system_seconds / n * 1e9, n / floor * 1e-6,
      floor / n * 1e9, tenth.mebibytes, all.mebibytes, operations / kTimes, operations);
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Eight ranks by one process and by two, in turns: seconds of a clock, because the cores are what is asked of.
void measure_sharing(std::uint64_t operations) {
  const test::TemporaryDirectory directory;
  constexpr std::int32_t kRanks = 8;
  std::vector<std::filesystem::path> spools;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) {
    LongSpool spool(directory.path(), rank, kRanks);
    while (spool.operations() < operations / kRanks) spool.exchange();
    spools.push_back(spool.finish());
  }
  constexpr int kTimes = 5;
  std::vector<double> ratios;
  double one = 0, two = 0;
  for (int i = 0; i < kTimes; ++i) {
    ForkedWorkers alone(1), pair(2);
    const auto by = [&](Workers& workers) {
      return seconds_of([&] { record::assemble(spools, directory / "shared", Overwrite::kYes, {}, workers); });
    };
    one = by(alone);
    two = by(pair);
    ratios.push_back(one / two);
  }
  std::ranges::sort(ratios);
  fmt::print(
      "  eight ranks, by two processes      {:.2f} times as fast as by one, {:.2f} to {:.2f} in {} pairs ({:.2f} s)\n",
      ratios[kTimes / 2], ratios.front(), ratios.back(), kTimes, two);
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  using plumbline::record::test::LongSpool;
  const double millions = argc > 1 ? std::atof(argv[1]) : 5;
  const std::string_view only = argc > 2 ? argv[2] : "";
  const auto operations = static_cast<std::uint64_t>(millions * 1e6);
  const auto measure = [&](const char* name, const std::function<void(LongSpool&)>& put) {
    if (only.empty() || only == name) plumbline::measure(name, put, operations);
  };
  measure("MPI_Sendrecv", [](LongSpool& s) { s.sendrecv(); });
  measure("MPI_Irecv+MPI_Isend+MPI_Waitall", [](LongSpool& s) { s.exchange(); });
  measure("pwrite", [](LongSpool& s) { s.pwrite(); });
  if (only.empty() || only == "shared") plumbline::measure_sharing(operations);
  return 0;
}
