// What replays side by side gain: wall and CPU time of one expectation with all its replays, by the number of jobs.
//
// usage: side_by_side PLATFORM [ITERATIONS [RUNS]]     defaults 400 5
//
// 64 ranks exchange with their neighbours, reduce, write to a file and broadcast, by messages that were recorded
// inside: each of the three forms is replayed with data in the cache and on the device, and the run once freely.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/expect.hpp"
#include "replay/program/text/text.hpp"
#include "tests/perf/cpu_time.hpp"
#include "tests/support/temporary_directory.hpp"

namespace {

using namespace plumbline;

constexpr std::uint32_t kRanks = 64;

std::string broadcast_of(std::uint32_t rank) {
  if (rank != 0) return "bcast root 0 1000B +90us\n inner recv 0 tag 0 1000B -> a\n inner done a\n";
  std::string text = "bcast root 0 1000B +90us\n";
  for (std::uint32_t to = 1; to < kRanks; ++to)
    text += fmt::format(" inner send {0} tag 0 1000B -> a{0}\n inner done a{0}\n", to);
  return text;
}

std::string program_text(std::uint32_t iterations) {
  std::string text = fmt::format("ranks {}\nproperty library = \"Open MPI v4.1.4\"\n", kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) text += fmt::format("node n{0} ranks {0}-{0} cores 1\n", rank);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    text += fmt::format("rank {}\n@0us open /data +1us\n", rank);
    for (std::uint32_t i = 0; i < iterations; ++i) {
      const std::uint32_t begin = 20 + 1000 * i;
      for (std::uint32_t n = 0; n < 16; ++n) {
        const std::uint32_t other = n % 2 == 0 ? rank ^ 1U : rank ^ 32U;
        const char* const first = rank < other ? "send" : "recv";
        const char* const second = rank < other ? "recv" : "send";
        text += fmt::format("@{}us {} {} tag {} 8192B +5us\n", begin + 20 * n, first, other, n);
        text += fmt::format("@{}us {} {} tag {} 8192B +5us\n", begin + 20 * n + 10, second, other, n);
      }
      text += fmt::format("@{}us reduce root 0 65536B +90us\n", begin + 500);
      text += fmt::format("@{}us write {}..{} +50us\n", begin + 700, (i * kRanks + rank) * 4096,
                          (i * kRanks + rank + 1) * 4096);
      text += fmt::format("@{}us {}", begin + 800, broadcast_of(rank));
    }
  }
  return text;
}

hw::Platform with_a_file_system(const char* file) {
  std::string text = read_text_file(file, "name a platform of at least 64 nodes");
  text.insert(text.rfind("</platform>"), R"(<filesystem name="disk"> <path prefix="/"/>
    <cached-write call="1us" rate="1GB/s"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s"/>
    <metadata open="1us" close="1us" sync="1us"/>
  </filesystem>)");
  return hw::parse_platform(text, file);
}

struct Cost {
  std::vector<double> wall_s, cpu_s;
};

// "1.23 s (1.20 to 1.31)": the median of all, the least and the most.
std::string text_of(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return fmt::format("{:.3f} s ({:.3f} to {:.3f})", seconds[seconds.size() / 2], seconds.front(), seconds.back());
}

double median(std::vector<double> seconds) {
  std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2));
  return seconds[seconds.size() / 2];
}

// By turns, so that what else goes on meets all alike.
void measure(const replay::Program& program, const hw::Platform& platform, int runs) {
  const test::TemporaryDirectory directory;
  const std::vector<std::uint32_t> jobs = {1, 2};
  std::vector<Cost> costs(jobs.size());
  std::uint32_t replays = 0;
  for (int run = 0; run < runs; ++run)
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      replay::expect::ExpectOptions how{.team = {.jobs = jobs[i]}};
      how.scratch = scratch_in(directory.path());
      const double cpu = perf::cpu_seconds();
      const auto begin = std::chrono::steady_clock::now();
      replays = replay::expect::expectation_of(program, platform, how).runs;
      costs[i].wall_s.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      costs[i].cpu_s.push_back(perf::cpu_seconds() - cpu);
    }
  fmt::print("{} replays, {} processors, the medians of {}, the least and the most:\n", replays,
             std::thread::hardware_concurrency(), runs);
  for (std::size_t i = 0; i < jobs.size(); ++i)
    fmt::print("{} job{}: wall {}, CPU {}; {:.2f} times as fast as one\n", jobs[i], jobs[i] == 1 ? "" : "s",
               text_of(costs[i].wall_s), text_of(costs[i].cpu_s), median(costs[0].wall_s) / median(costs[i].wall_s));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: side_by_side PLATFORM [ITERATIONS [RUNS]]\n");
    return 2;
  }
  const auto iterations = static_cast<std::uint32_t>(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 400);
  const int runs = argc > 3 ? std::atoi(argv[3]) : 5;
  try {
    const hw::Platform platform = with_a_file_system(argv[1]);
    const test::TemporaryDirectory directory;
    measure(replay::parse_program(program_text(iterations), "side by side", directory / "program"), platform, runs);
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return EXIT_SUCCESS;
}
