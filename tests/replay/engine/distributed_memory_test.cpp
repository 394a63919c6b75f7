// A write in two phases to servers takes no more memory for more bytes.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server_world.hpp"

namespace plumbline::replay::test {
namespace {

constexpr std::uint32_t kRanks = 16, kServers = 16;
constexpr std::uint64_t kMiB = 1U << 20U;

// Blocks of 1 MiB are dealt out to the ranks in turn; `rounds` of 1 MiB of each aggregator.
Program two_phase_write(std::uint64_t rounds) {
  const std::uint64_t bytes = rounds * kMiB;
  std::string text = "property library = \"MPICH 4.0.2\"\n";
  for (std::uint32_t r = 0; r < kRanks; ++r)
    text += fmt::format(
        "rank {0}\n write_all layout \"disp={1} extent={2} size={3}: {3}@0\" {4}B file /pfs/x hints "
        "\"cb_buffer_size={3}\\nromio_cb_write=enable\"\n",
        r, r * kMiB, kRanks * kMiB, kMiB, bytes);
  return program_of(one_rank_per_node(kRanks, text));
}

hw::Platform platform() {
  hw::Platform p = with_servers(kRanks, kServers, hw::CachePolicy::kAggregation);
  p.file_systems.back().distribution.stripe = Bytes{65'536};
  for (hw::Server& server : p.servers) server.cache.memory = Bytes{16 * kMiB};
  return p;
}

// Largest resident size, in KiB, of a process of its own.
long memory_of(std::uint64_t rounds, Form form) {
  const Program program = two_phase_write(rounds);
  const pid_t child = fork();
  if (child == 0) {
    run(program, platform(), Mode::kFree, form);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  EXPECT_EQ(status, 0);
  return usage.ru_maxrss;
}

TEST(ServerMemory, OfAWriteInTwoPhasesIsThatOfAWriteOfAnEighth) {
  for (const Form form : {Form::kAsConfigured, Form::kIdeal}) {
    const long small = memory_of(20, form), large = memory_of(160, form);  // 2.5 GiB
    EXPECT_LT(large - small, 1024) << small << " and " << large << " KiB";
  }
}

}  // namespace
}  // namespace plumbline::replay::test
